package io.aktis.cluster.membership;

import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.tls.ClusterTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLSocket;

/** Looks at a seed from outside, to say what is wrong before or after Pekko fails. Stateless. */
final class SeedProbe {
  /** How Pekko begins a connection: a word of its own and the number of the stream. */
  private static final byte[] PEKKO = "AKKA\1".getBytes(StandardCharsets.ISO_8859_1);

  private static final int TLS_ALERT = 0x15;

  /** How long a seed that refuses may take to say so; one that does not says nothing. */
  private static final int OBJECTION_MS = 250;

  private static final String NOT_ACCEPTED = "it does not accept the certificate of this node";

  private SeedProbe() {}

  /** Tries whether somebody listens there. Returns the problem, empty when there is none. */
  static String connectProblem(HostPort seed, int timeoutMs) {
    InetSocketAddress target = new InetSocketAddress(seed.host(), seed.port());
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
   * Tries a handshake, and listens for a while whether the seed objects to the certificate of this
   * side. Returns the problem, empty when there is none.
   */
  static String tlsProblem(HostPort seed, ClusterTls tls, int timeoutMs) {
    AtomicBoolean trusted = new AtomicBoolean();
    try (Socket plain = new Socket()) {
      plain.connect(new InetSocketAddress(seed.host(), seed.port()), timeoutMs);
      plain.setSoTimeout(timeoutMs);
      SSLSocket socket = tls.over(plain, () -> trusted.set(true));
      socket.startHandshake();
      socket.setSoTimeout(Math.min(timeoutMs, OBJECTION_MS));
      return socket.getInputStream().read() < 0 ? NOT_ACCEPTED : "";
    } catch (SocketTimeoutException e) {
      return trusted.get()
          ? ""
          : "no answer to the handshake of TLS within " + timeoutMs + " ms; does it use TLS?";
    } catch (IOException e) {
      return trusted.get() ? NOT_ACCEPTED : reason(e);
    }
  }

  private static String reason(IOException error) {
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
