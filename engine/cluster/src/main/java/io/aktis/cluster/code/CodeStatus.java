package io.aktis.cluster.code;

import io.aktis.cluster.code.CodeException.Reason;
import io.grpc.Status;

/** Carries failures from one process to another as the status of a call. */
final class CodeStatus {
  private CodeStatus() {}

  /** The status that a failed handler ends its call with. */
  static Status of(Throwable failure) {
    if (failure instanceof CodeException known) {
      return codeOf(known.reason())
          .toStatus()
          .withDescription(known.getMessage())
          .withCause(failure);
    }
    if (failure instanceof IllegalArgumentException) {
      return Status.INVALID_ARGUMENT.withDescription(failure.getMessage()).withCause(failure);
    }
    return Status.INTERNAL.withDescription(failure.toString()).withCause(failure);
  }

  private static Status.Code codeOf(Reason reason) {
    return switch (reason) {
      case CHANGED -> Status.Code.ABORTED;
      case DAMAGED -> Status.Code.DATA_LOSS;
      case NO_ROOM -> Status.Code.RESOURCE_EXHAUSTED;
      case STORAGE -> Status.Code.INTERNAL;
      case MISSING -> Status.Code.NOT_FOUND;
      case UNREACHABLE -> Status.Code.UNAVAILABLE;
      case REFUSED -> Status.Code.FAILED_PRECONDITION;
    };
  }

  /**
   * The failure that a status means to the caller.
   *
   * @param doing what was tried, such as "send a.jar to host:1"
   */
  static CodeException failure(String doing, Status status) {
    Reason reason =
        switch (status.getCode()) {
          case ABORTED -> Reason.CHANGED;
          case DATA_LOSS -> Reason.DAMAGED;
          case RESOURCE_EXHAUSTED -> Reason.NO_ROOM;
          case INTERNAL, UNKNOWN -> Reason.STORAGE;
          case NOT_FOUND -> Reason.MISSING;
          case UNAVAILABLE, CANCELLED, DEADLINE_EXCEEDED -> Reason.UNREACHABLE;
          default -> Reason.REFUSED;
        };
    String words = status.getDescription();
    return new CodeException(
        reason,
        "cannot " + doing + ": " + (words == null ? status.getCode() : words),
        status.getCause());
  }
}
