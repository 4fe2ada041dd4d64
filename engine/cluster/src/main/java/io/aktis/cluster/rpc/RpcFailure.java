package io.aktis.cluster.rpc;

import io.grpc.Status;

/**
 * Why a call failed, in words for people. Immutable.
 *
 * @param kind what to do about it depends on this
 * @param message names the address and the reason, in one line
 */
public record RpcFailure(Kind kind, String message) {
  /** What a caller can do; a server that says the same in its log cannot do anything. */
  private static final String WHERE_TLS_IS =
      "; --tls DIR or AKTIS_TLS_DIR says where its certificates are";

  /** Kinds of failures. */
  public enum Kind {
    /** No connection came about. */
    UNREACHABLE,
    /** The other end does not want this caller, or the two do not understand each other. */
    REFUSED,
    /** There was a connection, and it ended. */
    BROKEN_OFF,
    /** The call took longer than it may. */
    TIMED_OUT,
    /** The other end answered with a failure. */
    FAILED
  }

  /**
   * Reads what a call threw, or its listener was told.
   *
   * @param address host and port of the other end
   */
  public static RpcFailure of(String address, Throwable error) {
    Status status = Status.fromThrowable(error);
    String said = said(status, error);
    return switch (status.getCode()) {
      case UNAUTHENTICATED, PERMISSION_DENIED ->
          new RpcFailure(Kind.REFUSED, address + " refused the connection: " + said);
      case UNIMPLEMENTED ->
          new RpcFailure(
              Kind.REFUSED, address + " is no node of Aktis, or one of another version: " + said);
      case DEADLINE_EXCEEDED -> new RpcFailure(Kind.TIMED_OUT, address + " did not answer in time");
      case CANCELLED -> brokenOff(address, said); // so a server that ends does it
      case UNAVAILABLE, UNKNOWN, INTERNAL -> ofTransport(address, status, said);
      default ->
          new RpcFailure(Kind.FAILED, address + " failed: " + status.getCode() + ": " + said);
    };
  }

  private static RpcFailure ofTransport(String address, Status status, String said) {
    TransportProblem problem = TransportProblem.of(status.asException());
    if (problem != null) {
      String verb =
          problem.kind() == Kind.UNREACHABLE ? " cannot be reached: " : " cannot be used: ";
      String hint = problem.why().equals(TransportProblem.NO_TLS_HERE) ? WHERE_TLS_IS : "";
      return new RpcFailure(problem.kind(), address + verb + problem.why() + hint);
    }
    if (status.getCode() == Status.Code.UNAVAILABLE) {
      return brokenOff(address, said);
    }
    return new RpcFailure(Kind.FAILED, address + " failed: " + said);
  }

  private static RpcFailure brokenOff(String address, String said) {
    return new RpcFailure(
        Kind.BROKEN_OFF, "the connection to " + address + " was broken off: " + said);
  }

  /** The first line: Netty adds the handlers of the connection. */
  private static String said(Status status, Throwable error) {
    String text = status.getDescription();
    Throwable cause = status.getCause();
    if (cause != null && cause.getMessage() != null) {
      text = text == null ? cause.getMessage() : text + ": " + cause.getMessage();
    }
    return text == null ? error.toString() : text.lines().findFirst().orElse(error.toString());
  }

  /** Returns the message of {@link #of}. */
  public static String describe(String address, Throwable error) {
    return of(address, error).message;
  }
}
