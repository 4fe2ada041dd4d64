package io.aktis.cluster.rpc;

import io.grpc.netty.shaded.io.netty.channel.ConnectTimeoutException;
import io.grpc.netty.shaded.io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong below the calls, read from the exceptions of the network and of TLS. Immutable.
 *
 * @param why to be read after the name of the other end: "it ..."
 */
record TransportProblem(RpcFailure.Kind kind, String why) {
  /** Why a plain side and one with TLS do not understand each other, as the plain side says it. */
  static final String NO_TLS_HERE = "it uses TLS, and this side does not";

  /** What HTTP/2 says when something else comes in. */
  private static final Pattern NOT_HTTP2 = Pattern.compile("Hex dump for [a-z0-9 ]+: ([0-9a-f]*)");

  /** How TLS records of alerts and handshakes begin. */
  private static final List<String> TLS_RECORDS = List.of("1503", "1603");

  /** What the JDK and BoringSSL say of an alert that the other end has sent. */
  private static final Pattern ALERT =
      Pattern.compile("(?:fatal alert: ?|(?:SSLV3|TLSV1)_ALERT_)(\\w+)");

  private static final List<String> NO_CERTIFICATE =
      List.of("PEER_DID_NOT_RETURN_A_CERTIFICATE", "Empty client certificate chain");

  /** Returns what the error and its causes tell, null when they tell nothing. */
  static @Nullable TransportProblem of(@Nullable Throwable error) {
    TransportProblem found = null;
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      TransportProblem problem = one(cause);
      // The inner cause of a failure is the reason, the outer one only that it was one.
      found = problem == null ? found : problem;
      if (cause instanceof CertificateException) {
        break; // this one has the reason in words of ours
      }
    }
    return found;
  }

  private static @Nullable TransportProblem one(Throwable error) {
    String message = String.valueOf(error.getMessage());
    return switch (error) {
      case UnknownHostException e -> unreachable("its host name resolves to nothing");
      case ConnectTimeoutException e -> unreachable("it does not answer");
      case NoRouteToHostException e -> unreachable("there is no route to it");
      case ConnectException e -> unreachable(connect(message));
      case NotSslRecordException e -> refused("it does not use TLS, and this side does");
      case CertificateException e -> refused(message);
      case SSLException e -> tls(message);
      default -> notHttp2(message);
    };
  }

  private static String connect(String message) {
    if (message.contains("Connection refused")) {
      return "nobody listens there (connection refused)";
    }
    if (message.contains("timed out")) { // the system gives up before Netty does
      return "it does not answer";
    }
    return message.contains("unreachable") ? "its network is unreachable" : message;
  }

  private static @Nullable TransportProblem tls(String message) {
    if (NO_CERTIFICATE.stream().anyMatch(message::contains)) {
      return refused("it showed no certificate");
    }
    Matcher alert = ALERT.matcher(message);
    if (!alert.find()) {
      return null;
    }
    String name = alert.group(1).toLowerCase(Locale.ROOT);
    return refused(
        switch (name) {
          case "certificate_expired" -> "it says that the certificate of this side has expired";
          // BoringSSL sends the last of these for whatever the check of a certificate throws.
          case "unknown_ca", "bad_certificate", "certificate_unknown", "internal_error" ->
              "it does not accept the certificate of this side: that has expired, or is of"
                  + " another CA; its log says which (alert "
                  + name
                  + ")";
          case "certificate_required" -> "it wants a certificate of this side";
          default -> "it ended the handshake of TLS (alert " + name + ")";
        });
  }

  private static @Nullable TransportProblem notHttp2(String message) {
    Matcher dump = NOT_HTTP2.matcher(message);
    if (!dump.find()) {
      return null;
    }
    boolean tls = TLS_RECORDS.stream().anyMatch(dump.group(1)::startsWith);
    return refused(
        tls ? NO_TLS_HERE : "it does not speak the protocol of Aktis; is it the right port?");
  }

  private static TransportProblem unreachable(String why) {
    return new TransportProblem(RpcFailure.Kind.UNREACHABLE, why);
  }

  private static TransportProblem refused(String why) {
    return new TransportProblem(RpcFailure.Kind.REFUSED, why);
  }
}
