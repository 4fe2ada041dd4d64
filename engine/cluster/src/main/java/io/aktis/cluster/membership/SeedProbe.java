package io.aktis.cluster.membership;

import io.aktis.cluster.tls.ClusterTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;

/** Looks at a seed from outside, to say what is wrong before or after Pekko fails. Stateless. */
final class SeedProbe {
  /** How Pekko begins a connection: a word of its own and the number of the stream. */
  private static final byte[] PEKKO = "AKKA\1".getBytes(StandardCharsets.ISO_8859_1);

  private static final int TLS_ALERT = 0x15;

  private SeedProbe() {}

  /** Tries a handshake. Returns the problem, empty when there is none. */
  static String tlsProblem(HostPort seed, ClusterTls tls, int timeoutMs) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(seed.host(), seed.port()), timeoutMs);
      socket.setSoTimeout(timeoutMs);
      tls.handshake(socket);
      return "";
    } catch (SocketTimeoutException e) {
      return "no answer to the handshake of TLS within " + timeoutMs + " ms; does it use TLS?";
    } catch (SSLException e) {
      return reason(e);
    } catch (IOException e) {
      return "the handshake of TLS was broken off; does it use TLS? " + e.getMessage();
    }
  }

  private static String reason(SSLException error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException refusal) {
        return String.valueOf(refusal.getMessage());
      }
    }
    return "the handshake of TLS failed; does it use TLS? " + error.getMessage();
  }

  /**
   * Returns whether a seed ends what is not TLS at once, as one that uses TLS does. Without TLS, it
   * waits for more.
   */
  static boolean wantsTls(HostPort seed, int timeoutMs) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(seed.host(), seed.port()), timeoutMs);
      socket.setSoTimeout(timeoutMs);
      return ends(socket);
    } catch (IOException e) {
      return false; // it is not even there
    }
  }

  private static boolean ends(Socket socket) {
    try {
      socket.getOutputStream().write(PEKKO);
      int first = socket.getInputStream().read();
      return first == TLS_ALERT || first < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset
    }
  }
}
