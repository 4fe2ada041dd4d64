package io.aktis.acceptance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/**
 * What comes back from a port of this machine when somebody speaks to it without TLS.
 *
 * @param heard the bytes, each as one character
 * @param ended whether the other end hung up
 */
record PlainTalk(String heard, boolean ended) {
  /** How gRPC begins a connection: the preface of HTTP/2, and settings that change nothing. */
  static final byte[] GRPC =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

  /** How Pekko begins a connection of its control stream. */
  static final byte[] PEKKO = "AKKA\1".getBytes(StandardCharsets.ISO_8859_1);

  private static final String TLS_ALERT = "\u0015\u0003";
  private static final int TLS_ALERT_BYTES = 7;

  /** Says some words, and listens until the other end hangs up or is silent for so long. */
  static PlainTalk with(int port, byte[] words, int silenceMs) {
    ByteArrayOutputStream heard = new ByteArrayOutputStream();
    boolean ended = true;
    try (Socket socket = connect(port)) {
      socket.setSoTimeout(silenceMs);
      socket.getOutputStream().write(words);
      InputStream in = socket.getInputStream();
      for (int next = in.read(); next >= 0; next = in.read()) {
        heard.write(next);
      }
    } catch (SocketTimeoutException e) {
      ended = false;
    } catch (IOException reset) {
      ended = true;
    }
    return new PlainTalk(heard.toString(StandardCharsets.ISO_8859_1), ended);
  }

  private static Socket connect(int port) {
    try {
      return new Socket(InetAddress.getLoopbackAddress(), port);
    } catch (IOException e) {
      throw new AssertionError("nobody listens on port " + port, e);
    }
  }

  /** Returns whether the other end said at most that this is not TLS, and hung up. */
  boolean isRefusedByTls() {
    return ended
        && (heard.isEmpty() || heard.length() == TLS_ALERT_BYTES && heard.startsWith(TLS_ALERT));
  }
}
