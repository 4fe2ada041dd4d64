package io.aktis.cluster.membership;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.HostPort;
import java.io.IOException;
import java.net.BindException;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.Map;
import java.util.jar.JarFile;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.remote.artery.tcp.SSLEngineProviderSetup;
import org.jspecify.annotations.Nullable;

/** Makes the actor system of a node: its name, its settings, its port. Thread-safe. */
final class PekkoSystem {
  private static final String SETTINGS = "io/aktis/cluster/membership/pekko.conf";
  private static @Nullable Config common;

  private PekkoSystem() {}

  /**
   * Returns the settings that all nodes have, read by the first call. Reading them takes a good
   * part of what the start of a system takes.
   */
  static synchronized Config common() {
    Config read = common;
    if (read == null) {
      ClassLoader loader = PekkoSystem.class.getClassLoader();
      ConfigParseOptions must = ConfigParseOptions.defaults().setAllowMissing(false);
      read =
          ConfigFactory.parseResources(loader, SETTINGS, must)
              .withFallback(ConfigFactory.defaultReference(loader));
      common = read;
    }
    return read;
  }

  /** Returns when it listens on its control address. */
  static ActorSystem create(MembershipConfig config, String session) throws JoinException {
    try {
      return ActorSystem.create(name(session, config.token()), setup(config));
    } catch (RuntimeException e) {
      BindException refusal = bindException(e);
      if (refusal == null) {
        throw e;
      }
      String where = config.controlHost() + ":" + config.controlPort();
      throw new JoinException(
          JoinException.Reason.CANNOT_LISTEN,
          "cannot listen on the control address " + where + ": " + refusal.getMessage(),
          e);
    }
  }

  private static @Nullable BindException bindException(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException refusal) {
        return refusal;
      }
    }
    return null;
  }

  /**
   * The name is part of each address, and messages to another name are dropped. So it says which
   * cluster is meant: the same session, token and version of the protocol give the same name, and
   * the name gives none of them away.
   */
  static String name(String session, String token) {
    MessageDigest digest = sha256();
    for (String part : new String[] {Integer.toString(Credentials.PROTOCOL), session, token}) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
      digest.update(bytes);
    }
    return "aktis-" + HexFormat.of().formatHex(digest.digest(), 0, 16);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static ActorSystemSetup setup(MembershipConfig config) {
    BootstrapSetup bootstrap =
        BootstrapSetup.create(settings(config))
            .withClassloader(new NoManifests(PekkoSystem.class.getClassLoader()));
    if (config.tls().isEmpty()) {
      return ActorSystemSetup.create(bootstrap);
    }
    ControlTls tls = new ControlTls(config.tls().get());
    return ActorSystemSetup.create(bootstrap, SSLEngineProviderSetup.create(system -> tls));
  }

  private static Config settings(MembershipConfig config) {
    Map<String, Object> own =
        Map.of(
            "pekko.remote.artery.canonical.hostname",
            HostPort.bracketed(config.controlHost()),
            "pekko.remote.artery.canonical.port",
            config.controlPort(),
            "pekko.cluster.roles",
            Roles.of(config.self()),
            "pekko.remote.artery.transport",
            config.tls().isPresent() ? "tls-tcp" : "tcp");
    return ConfigFactory.parseMap(own, "this node").withFallback(common()).resolve();
  }

  /**
   * Finds no manifests. Pekko reads those of all jars to see whether its own are of one version,
   * and some are large and signed: that takes longer than all else that it does at its start.
   */
  private static final class NoManifests extends ClassLoader {
    static {
      registerAsParallelCapable();
    }

    NoManifests(ClassLoader parent) {
      super("membership", parent);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.equals(JarFile.MANIFEST_NAME)
          ? Collections.emptyEnumeration()
          : super.getResources(name);
    }
  }
}
