package io.aktis.cluster.session;

import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.session.NodeSettings.Places;
import io.aktis.cluster.tls.ClusterTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cluster that an address means, its token and its certificates. All methods are static,
 * read files and do not use the network; thread-safe.
 */
public final class LocalCluster {
  /** The address of the cluster that this user runs on this machine. */
  public static final String AUTO = "auto";

  static final String TOKEN_VARIABLE = "AKTIS_TOKEN";

  private LocalCluster() {}

  /**
   * Finds a cluster. Its token is that of the variable {@code AKTIS_TOKEN}; else, for a cluster
   * that runs here, that it was started with; else that of this user. Its certificates are in the
   * directory that the variable {@code AKTIS_TLS_DIR} or the system property {@code aktis.tls.dir}
   * names; else, for a cluster that runs here, those it was started with; else it uses no TLS.
   *
   * @param address {@code auto}, or a host and a port with {@code aktis://} before it or not
   * @throws IllegalArgumentException when the address is neither
   * @throws IllegalStateException when it is {@code auto} and none or several run here, there is no
   *     token, or the certificates cannot be used
   */
  public static ClusterAccess find(String address) {
    return find(address, null, null);
  }

  /**
   * Finds a cluster whose token or certificates are at places that the caller may name.
   *
   * @param tokenFile {@code null} to look as {@link #find(String)} does
   * @param tlsDir has the certificates; {@code null} to look as {@link #find(String)} does
   * @throws IllegalArgumentException when the address is none
   * @throws IllegalStateException when there is no such cluster or token, or the certificates
   *     cannot be used
   */
  public static ClusterAccess find(
      String address, @Nullable Path tokenFile, @Nullable Path tlsDir) {
    SessionDirectory directory = SessionDirectory.open();
    HostPort target = ClusterAddress.parse(address.equals(AUTO) ? here(directory) : address);
    Optional<Places> recorded = recorded(directory, target.toString());
    String token = token(directory, target, recorded, tokenFile);
    Optional<ClusterTls> tls =
        TlsPlaces.wanted(tlsDir).or(() -> recorded.flatMap(Places::tls).map(TlsPlaces::load));
    return new ClusterAccess(target, token, tls);
  }

  /** Returns the door of the cluster that runs here: the last one, else the only one. */
  private static String here(SessionDirectory directory) {
    Map<String, String> doors = doors(directory);
    Optional<String> last = directory.current().map(current -> doors.get(current.sessionId()));
    if (last.isPresent()) {
      return last.get();
    }
    if (doors.isEmpty()) {
      throw new IllegalStateException(
          "no cluster of yours runs on this machine; 'aktis start --head' starts one, and"
              + " --address HOST:PORT or AKTIS_ADDRESS names one elsewhere");
    }
    if (doors.size() > 1) {
      throw new IllegalStateException(
          "several clusters of yours run on this machine; name one of them: "
              + String.join(", ", doors.values()));
    }
    return doors.values().iterator().next();
  }

  /**
   * Returns an address of each session that runs here: of the node that has started it, else of any
   * other. The head may be elsewhere, or gone; a node that is here can tell.
   */
  private static Map<String, String> doors(SessionDirectory directory) {
    Map<String, String> doors = new LinkedHashMap<>();
    for (NodeDirectory node : directory.liveNodes()) {
      Optional<NodeSettings> settings = node.settings();
      Optional<ReadyNode> ready = node.ready();
      if (settings.isPresent() && ready.isPresent()) {
        if (settings.get().head()) {
          doors.put(node.sessionId(), ready.get().address());
        } else {
          doors.putIfAbsent(node.sessionId(), ready.get().address());
        }
      }
    }
    return doors;
  }

  private static String token(
      SessionDirectory directory,
      HostPort target,
      Optional<Places> recorded,
      @Nullable Path tokenFile) {
    if (tokenFile != null) {
      return SessionDirectory.readToken(tokenFile);
    }
    Optional<String> given = givenToken();
    if (given.isPresent()) {
      return given.get();
    }
    Path file = recorded.map(Places::tokenFile).orElse(directory.tokenFile());
    if (!Files.exists(file)) {
      throw new IllegalStateException(
          "the cluster at %s wants its token, and there is none here: copy the file 'token' of who started it to %s, or set %s"
              .formatted(target, file, TOKEN_VARIABLE));
    }
    return SessionDirectory.readToken(file);
  }

  /** Returns the token that the environment has. */
  static Optional<String> givenToken() {
    String given = System.getenv(TOKEN_VARIABLE);
    return given == null || given.isBlank()
        ? Optional.empty()
        : Optional.of(SessionDirectory.checkToken(given, TOKEN_VARIABLE));
  }

  /** Returns where the files are of a node that runs here and is meant by the address. */
  private static Optional<Places> recorded(SessionDirectory directory, String address) {
    for (NodeDirectory node : directory.liveNodes()) {
      Optional<NodeSettings> settings = node.settings();
      boolean isMeant =
          node.ready().filter(ready -> ready.address().equals(address)).isPresent()
              || settings.filter(told -> told.network().headAddress().equals(address)).isPresent();
      if (settings.isPresent() && isMeant) {
        return Optional.of(settings.get().places());
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the nodes of one session that run here, or are left of it.
   *
   * @param sessionId {@code null} for the only one there is
   * @return empty when there is none
   * @throws IllegalStateException when several sessions are there and none is named; the message
   *     lists them
   */
  public static List<NodeDirectory> nodesOf(@Nullable String sessionId) {
    Map<String, List<NodeDirectory>> sessions =
        SessionDirectory.open().nodes().stream()
            .collect(
                Collectors.groupingBy(
                    NodeDirectory::sessionId, LinkedHashMap::new, Collectors.toList()));
    if (sessionId != null) {
      return sessions.getOrDefault(sessionId, List.of());
    }
    if (sessions.size() > 1) {
      throw new IllegalStateException(
          "several clusters of yours run on this machine: "
              + sessions.values().stream()
                  .map(LocalCluster::describe)
                  .collect(Collectors.joining(", ")));
    }
    return sessions.values().stream().findFirst().orElse(List.of());
  }

  private static String describe(List<NodeDirectory> nodes) {
    String addresses =
        nodes.stream()
            .map(node -> node.ready().map(ReadyNode::address).orElse("not ready"))
            .collect(Collectors.joining(" and "));
    return nodes.getFirst().sessionId() + " (" + addresses + ")";
  }
}
