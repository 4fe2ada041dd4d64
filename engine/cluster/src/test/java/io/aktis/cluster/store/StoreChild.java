package io.aktis.cluster.store;

import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.core.id.NodeId;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A process that makes an object, checks and pins another, begins a third, and holds on. */
final class StoreChild {
  private StoreChild() {}

  static Process start(Daemon daemon) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx128m",
            "-cp",
            System.getProperty("java.class.path"),
            StoreChild.class.getName(),
            daemon.address(),
            daemon.memory.toString(),
            Long.toString(daemon.capacityBytes),
            Long.toString(daemon.node.number()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  static String line(Process child) throws IOException {
    return new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))
        .readLine();
  }

  public static void main(String[] args) throws Exception {
    NodeId node = new NodeId(1, Long.parseLong(args[3]));
    RpcChannel channel = RpcChannel.open(args[0], Daemon.CREDENTIALS);
    StoreClient port =
        StoreClient.open(channel, node, Path.of(args[1]), Long.parseLong(args[2]), "a child");
    Daemon.put(port, 100, 3 * Daemon.MIB);
    StorePort.Reading reading = port.pin(Daemon.id(1), new Location(node, args[0]));
    Daemon.check(reading.segment(), 1);
    StorePort.Writing writing = port.create(Daemon.id(101), 7 * Daemon.MIB);
    Daemon.fill(writing.segment(), 101);
    System.out.println("holding");
    int end = System.in.read(); // until it is killed
    System.exit(end == -1 ? 0 : 1);
  }
}
