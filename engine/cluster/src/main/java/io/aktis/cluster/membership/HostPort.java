package io.aktis.cluster.membership;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/**
 * A host and a port of it. Immutable.
 *
 * @param host a name or an address; one of IPv6 in brackets
 * @param port 0 to {@link #MAX_PORT}
 */
record HostPort(String host, int port) {
  static final int MAX_PORT = 65_535;

  HostPort {
    host = host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host;
  }

  /**
   * Reads {@code host:port}.
   *
   * @param what says in the error what it should have been
   * @throws IllegalArgumentException when it is not of this form
   */
  static HostPort parse(String what, String text) {
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, Math.max(colon, 0));
    boolean clear = host.indexOf(':') < 0 || (host.startsWith("[") && host.endsWith("]"));
    int port = port(text.substring(colon + 1));
    if (host.isBlank() || !clear || port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          what + " must be HOST:PORT with a port of 1 to " + MAX_PORT + ", not '" + text + "'");
    }
    return new HostPort(host, port);
  }

  private static int port(String text) {
    boolean number = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return number && text.length() <= 5 ? Integer.parseInt(text) : -1;
  }

  /** Tries whether somebody listens there. Returns the problem, empty when there is none. */
  String connectProblem(int timeoutMs) {
    InetSocketAddress target = new InetSocketAddress(host, port);
    if (target.isUnresolved()) {
      return "the host name resolves to nothing";
    }
    try (Socket socket = new Socket()) {
      socket.connect(target, timeoutMs);
      return "";
    } catch (SocketTimeoutException e) {
      return "no answer within " + timeoutMs + " ms";
    } catch (IOException e) {
      return e.getMessage() == null ? e.toString() : e.getMessage();
    }
  }

  /**
   * Returns whether the system of that host says that nobody listens there. Neither an answer nor
   * silence does that.
   */
  boolean refusesConnections(int timeoutMs) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), timeoutMs);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false; // silence, or no way there
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
