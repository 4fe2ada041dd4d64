package io.aktis.cluster.session;

import java.util.Map;

/**
 * What a node daemon tells when it can take work. Immutable.
 *
 * @param sessionId the session of its cluster
 * @param nodeId its id
 * @param address host and port of its services
 * @param controlAddress host and port of its membership
 * @param process the daemon
 */
public record ReadyNode(
    String sessionId, String nodeId, String address, String controlAddress, ProcessMark process) {
  Map<String, String> entries() {
    return Map.of(
        "session", sessionId,
        "node", nodeId,
        "address", address,
        "control-address", controlAddress,
        "pid", Long.toString(process.pid()),
        "birth", process.birth());
  }

  static ReadyNode of(Map<String, String> entries) {
    return new ReadyNode(
        entries.getOrDefault("session", ""),
        entries.getOrDefault("node", ""),
        entries.getOrDefault("address", ""),
        entries.getOrDefault("control-address", ""),
        new ProcessMark(
            Long.parseLong(entries.getOrDefault("pid", "0")), entries.getOrDefault("birth", "")));
  }
}
