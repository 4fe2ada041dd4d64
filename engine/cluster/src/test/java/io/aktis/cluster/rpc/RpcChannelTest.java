package io.aktis.cluster.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The network threads of callers are there as long as a connection is. */
class RpcChannelTest {
  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("aktis-client") && thread.isAlive())
        .toList();
  }

  private static RpcChannel channelTo(HealthServer server) {
    return RpcChannel.open("127.0.0.1:" + server.server.port(), HealthServer.CREDENTIALS);
  }

  @Test
  void close_ofTheLastConnection_endsTheThreads() throws Exception {
    try (HealthServer server = HealthServer.plain()) {
      for (int i = 0; i < 3; i++) { // there are new ones for the next connection
        RpcChannel one = channelTo(server);
        RpcChannel other = channelTo(server);
        HealthServer.call(one);
        HealthServer.call(other);
        one.close();
        RpcChannel.awaitClosed();
        assertThat(threads()).as("threads of the other connection").isNotEmpty();
        HealthServer.call(other);
        other.close();
        other.close();
        awaitNone();
      }
    }
  }

  @Test
  void threads_ofConnections_letAJvmEnd() throws Exception {
    try (HealthServer server = HealthServer.plain();
        RpcChannel channel = channelTo(server)) {
      HealthServer.call(channel);
      assertThat(threads()).isNotEmpty().allMatch(Thread::isDaemon);
    }
    awaitNone();
  }

  /** On a machine that is busy, a moment is not enough. */
  private static void awaitNone() throws InterruptedException {
    assertThat(ClientLoops.awaitEnd(10_000)).isTrue();
    for (Thread thread : threads()) {
      thread.join(10_000);
    }
    assertThat(threads()).isEmpty();
  }
}
