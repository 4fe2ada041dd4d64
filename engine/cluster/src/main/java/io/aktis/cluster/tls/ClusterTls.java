package io.aktis.cluster.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mutual TLS as all connections of a process use it: TLS 1.3, both ends show a certificate of the
 * cluster's CA that is made for {@link #NODE_NAME}. One a process is enough. Thread-safe.
 *
 * <p>Each new connection looks whether the files have changed, and uses what is there then. If the
 * new ones cannot be used, the log says why and the former ones stay in use. Connections that exist
 * go on as they are.
 */
public final class ClusterTls {
  /**
   * The name that each certificate carries, and that both ends check in place of the host: nodes
   * are reached at addresses that change and at several names, and each that has a certificate of
   * this CA is trusted in the same way. No public CA signs this name.
   */
  public static final String NODE_NAME = "node.aktis.internal";

  /** The one version in use: all ends of a connection are ours. */
  public static final String PROTOCOL = "TLSv1.3";

  private static final Logger LOG = LoggerFactory.getLogger(ClusterTls.class);
  private static final Duration WARN_BEFORE = Duration.ofDays(30);

  /** How a file looked, to see a change. All is 0 of a file that cannot be looked at. */
  private record Stamp(long modifiedNs, long sizeBytes, Object fileKey) {
    static List<Stamp> of(TlsFiles files) {
      List<Stamp> stamps = new ArrayList<>(3);
      files.all().forEach(file -> stamps.add(of(file)));
      return stamps;
    }

    private static Stamp of(Path file) {
      try {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        Object key = attributes.fileKey();
        return new Stamp(
            attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
            attributes.size(),
            key == null ? "" : key);
      } catch (IOException e) {
        return new Stamp(0, 0, ""); // reading it will say what is wrong
      }
    }
  }

  /** What is in use, and what was before: a handshake that has begun may end with the latter. */
  record Loaded(
      long generation, List<?> stamps, TlsIdentity identity, @Nullable TlsIdentity former) {
    TlsIdentity of(long wanted) {
      return wanted == generation - 1 && former != null ? former : identity;
    }
  }

  private final TlsFiles files;
  private volatile Loaded loaded;

  private ClusterTls(TlsFiles files, Loaded loaded) {
    this.files = files;
    this.loaded = loaded;
  }

  /**
   * Reads the files.
   *
   * @throws TlsException when one is missing, cannot be read, is readable by others, has expired,
   *     or does not fit the others
   */
  public static ClusterTls load(TlsFiles files) throws TlsException {
    List<Stamp> stamps = Stamp.of(files);
    TlsIdentity identity = TlsIdentity.load(files);
    return new ClusterTls(files, new Loaded(0, stamps, identity, null));
  }

  /**
   * Reads the files of a process whose cluster may use TLS or not.
   *
   * @return empty when there are none
   * @throws TlsException as {@link #load} does
   */
  public static Optional<ClusterTls> loadIfAny(Optional<TlsFiles> files) throws TlsException {
    return files.isPresent() ? Optional.of(load(files.get())) : Optional.empty();
  }

  /** Warns in the log when the certificate expires soon. For the daemon: once a node is enough. */
  public void warnOfEnd() {
    Duration left = loaded.identity.left();
    if (left.compareTo(WARN_BEFORE) < 0) {
      LOG.warn("the certificate in {} expires in {} days", files.certificate(), left.toDays());
    }
  }

  /** Returns where it reads. */
  public TlsFiles files() {
    return files;
  }

  /** Returns when the certificate of this process expires, as the files say it now. */
  public Instant expires() {
    return current().identity().expires();
  }

  /** Returns who this process is and whom it trusts, as the files say it now. */
  Loaded current() {
    Loaded now = loaded;
    List<Stamp> stamps = Stamp.of(files);
    return stamps.equals(now.stamps) ? now : reload(stamps);
  }

  private synchronized Loaded reload(List<Stamp> stamps) {
    Loaded now = loaded;
    if (stamps.equals(now.stamps)) {
      return now;
    }
    try {
      TlsIdentity identity = TlsIdentity.load(files);
      loaded = new Loaded(now.generation + 1, stamps, identity, now.identity);
      LOG.info("new connections use the changed certificate in {}", files.certificate());
      warnOfEnd();
    } catch (TlsException e) {
      loaded = new Loaded(now.generation, stamps, now.identity, now.former);
      LOG.warn("the changed files of TLS are not used, the former stay: {}", e.getMessage());
    }
    return loaded;
  }

  /** Returns what tells the other end who this process is. */
  public X509ExtendedKeyManager keyManager() {
    return new ClusterKeyManager(this);
  }

  /** Returns what checks who the other end is. */
  public X509ExtendedTrustManager trustManager() {
    return new ClusterTrustManager(this, () -> {});
  }

  /** Returns an engine of the JDK for one new connection. */
  public SSLEngine engine(boolean client) {
    SSLEngine engine = context(trustManager()).createSSLEngine();
    engine.setUseClientMode(client);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {PROTOCOL});
    parameters.setNeedClientAuth(!client);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /**
   * Lays TLS over a connection, as its client; the first read or write, or a handshake, begins it.
   * With TLS 1.3 the server may still refuse the certificate of this side after a handshake, which
   * shows when more is read. A close leaves the connection below open.
   *
   * @param whenTrusted called in the handshake when the certificate of the server is accepted
   * @throws IOException when the connection is broken
   */
  public SSLSocket over(Socket connected, Runnable whenTrusted) throws IOException {
    InetAddress there = connected.getInetAddress();
    SSLSocket socket =
        (SSLSocket)
            context(new ClusterTrustManager(this, whenTrusted))
                .getSocketFactory()
                .createSocket(connected, there.getHostAddress(), connected.getPort(), false);
    socket.setEnabledProtocols(new String[] {PROTOCOL});
    return socket;
  }

  /** A context of its own for each connection, so that none resumes what was agreed on before. */
  private SSLContext context(TrustManager trustManager) {
    try {
      SSLContext context = SSLContext.getInstance(PROTOCOL);
      context.init(new KeyManager[] {keyManager()}, new TrustManager[] {trustManager}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + PROTOCOL, e);
    }
  }

  @Override
  public String toString() {
    return "ClusterTls[" + files.certificate() + "]";
  }
}
