package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.cluster.control.ControlPlace;
import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.session.NodeLauncher;
import io.aktis.cluster.session.NodeLauncher.Started;
import io.aktis.cluster.session.NodeLauncher.Tethered;
import io.aktis.cluster.session.NodeRequest;
import io.aktis.cluster.session.NodeSettings;
import io.aktis.cluster.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Starts a node of a cluster on this machine. */
@Command(
    name = "start",
    description = {
      "Start a node on this machine: the head of a cluster, or one that joins a cluster.",
      "",
      "Returns when the node can take work; it runs on in the background. SIZE is such as 512MiB,"
          + " 2GB or 10g.",
      "",
      "A head that has died is started again with 'start --head': it goes on with its session, the"
          + " jobs it knew, and the nodes that live. Nodes that have the same control store in a"
          + " Redis take the place of the head by themselves."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis start --head",
      "  aktis start --head --host 10.0.0.5 --cpus 8 --object-store-memory 10g",
      "  aktis start --address 10.0.0.5:6380 --token-file token",
      "  aktis start --head --host 10.0.0.5 --tls",
      "  aktis start --head --control-store /var/lib/aktis --block",
      "  aktis start --head --control-store redis://10.0.0.9:6379"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The node is ready; with --block, it has ended as it was told to.",
      "1:The node could not be started, or, with --block, has died; standard error says why.",
      "2:The command line was wrong.",
      "130:With --block, Ctrl-C has ended the node.",
      "143:With --block, SIGTERM has ended the node."
    })
final class StartCommand extends ClusterCommand {
  static final int HEAD_PORT = 6380;

  /** Which cluster the node is of. */
  static final class Cluster {
    @Option(
        names = "--head",
        required = true,
        description =
            "Start a new cluster, or go on with that of the control store: as its head, or, while"
                + " it has one, as a node that can be it.")
    private boolean head;

    @Option(
        names = "--address",
        required = true,
        paramLabel = "HOST:PORT",
        converter = Address.OfCluster.class,
        description = "Join the cluster that this node is of; auto: the one that runs here.")
    private @Nullable String address;
  }

  @ArgGroup(multiplicity = "1")
  private Cluster cluster;

  @Option(
      names = "--port",
      paramLabel = "N",
      converter = Amounts.Port.class,
      description = "Port of its services, 0 for any [" + HEAD_PORT + " for a head, else any].")
  private @Nullable Integer port;

  @Option(
      names = "--control-port",
      paramLabel = "N",
      converter = Amounts.Port.class,
      defaultValue = "0",
      description = "Port for other nodes [the next one, or any].")
  private int controlPort;

  @Option(
      names = "--data-port",
      paramLabel = "N",
      converter = Amounts.Port.class,
      defaultValue = "0",
      description = {
        "Port at which other nodes read large values [the one after that, or any].",
        "Where they cannot reach it, they read more slowly at --port."
      })
  private int dataPort;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description =
          "Address to listen on [127.0.0.1, or the one that leads to the cluster to join].")
  private @Nullable String host;

  @Option(
      names = "--advertise-host",
      paramLabel = "HOST",
      description = "Address by which others reach it [that of --host].")
  private @Nullable String advertisedHost;

  @Option(
      names = "--cpus",
      paramLabel = "N",
      converter = Amounts.Cpus.class,
      description = "CPUs that work can use [all of this machine].")
  private @Nullable Double cpus;

  @Option(
      names = "--gpus",
      paramLabel = "N",
      converter = Amounts.Gpus.class,
      description = "GPUs that work can use [those in CUDA_VISIBLE_DEVICES].")
  private @Nullable Integer gpus;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = Amounts.Bytes.class,
      description = "Memory that work can reserve [70 %% of what the object store leaves].")
  private @Nullable Long memoryBytes;

  @Option(
      names = "--resources",
      paramLabel = "NAME=N",
      split = ",",
      converter = {TextConverter.class, Amounts.Custom.class},
      description = "Other resources that work can ask for.")
  private Map<String, Double> resources = new LinkedHashMap<>();

  @Option(
      names = "--labels",
      paramLabel = "NAME=VALUE",
      split = ",",
      description = "Labels that work can select nodes by.")
  private Map<String, String> labels = new LinkedHashMap<>();

  @Option(
      names = "--object-store-memory",
      paramLabel = "SIZE",
      converter = Amounts.Bytes.class,
      description =
          "Memory for objects [30 %% of that of the machine or container, at most 95 %% of the room"
              + " in --store-dir].")
  private @Nullable Long objectStoreBytes;

  @Option(
      names = "--store-dir",
      paramLabel = "DIR",
      description =
          "Where the memory for objects is mapped [/dev/shm; where that is small or not in memory,"
              + " with the other files of the node].")
  private @Nullable Path storeDir;

  @Option(
      names = "--spill-dir",
      paramLabel = "DIR",
      description = "For objects that have no room in memory [with the other files of the node].")
  private @Nullable Path spillDir;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "The token of the cluster [AKTIS_TOKEN, or that of this user].")
  private @Nullable Path tokenFile;

  @Option(
      names = "--control-store",
      paramLabel = "WHERE",
      converter = ControlStorePlace.class,
      description =
          "What the head keeps for the head after it: a directory, redis://HOST:PORT, which lets"
              + " another node take over, or memory for nothing [AKTIS_CONTROL_STORE, or the"
              + " directory of the session].")
  private @Nullable ControlPlace controlStore;

  @Mixin private TlsOption tls = new TlsOption();

  @Option(
      names = "--worker-jvm-option",
      paramLabel = "OPTION",
      description = "An option for the JVMs that run work; may be repeated.")
  private List<String> workerJvmOptions = new ArrayList<>();

  @Option(
      names = "--block",
      description =
          "Stay in the foreground: end the node on Ctrl-C or SIGTERM, and end when it ends.")
  private boolean block;

  @Option(names = "--json", description = "Print one JSON object when the node is ready.")
  private boolean json;

  private boolean hasLeftANode;

  @SuppressWarnings("NullAway.Init") // picocli sets the cluster
  StartCommand() {}

  @Override
  int run() throws IOException, InterruptedException {
    NodeLauncher launcher = new NodeLauncher();
    if (!block) {
      tell(launcher.start(request()));
      hasLeftANode = true;
      return ExitCode.OK;
    }
    Tethered tethered = launcher.startTethered(request());
    tell(tethered.node());
    return new Foreground(tethered).await();
  }

  /** Returns whether it has started a node that runs on in the background. */
  boolean hasLeftANode() {
    return hasLeftANode;
  }

  private void tell(Started started) throws IOException {
    if (json) {
      out().println(JSON.std.asString(toMap(started)));
    } else {
      print(started);
    }
    warnWhenStoreIsOdd(started.note());
    warnWhenReachable(started.settings());
    out().flush();
  }

  private NodeRequest request() {
    String join = cluster.address == null ? "" : cluster.address;
    int chosenPort = port != null ? port : cluster.head ? HEAD_PORT : 0;
    return new NodeRequest(
        join,
        new NodeRequest.Listen(host, advertisedHost, chosenPort, controlPort, dataPort),
        new NodeRequest.Amounts(cpus, gpus, memoryBytes, resources, labels, objectStoreBytes),
        new NodeRequest.Files(storeDir, spillDir, tokenFile, tls.directory(), workerJvmOptions),
        controlStore);
  }

  private static Map<String, Object> toMap(Started started) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("session", started.ready().sessionId());
    map.put("node", started.ready().nodeId());
    map.put("address", started.ready().address());
    map.put("controlAddress", started.ready().controlAddress());
    map.put("pid", started.ready().process().pid());
    map.put("log", started.directory().log().toString());
    return map;
  }

  private void print(Started started) {
    String address = started.ready().address();
    NodeSettings settings = started.settings();
    String door = settings.head() ? address : settings.network().headAddress();
    out()
        .println(
            "The node is ready at "
                + address
                + ", in the cluster of session "
                + settings.sessionId()
                + ".");
    out().println("  use    aktis demo --address " + door);
    out().println("         AKTIS_ADDRESS=aktis://" + door + " java -jar program.jar");
    out().println("  join   aktis start --address " + door + where(settings));
    out().println("  look   aktis status --address " + door);
    out().println("  stop   aktis stop --session " + settings.sessionId());
    out().println("  log    " + started.directory().log());
  }

  private static String where(NodeSettings settings) {
    boolean reachable = !HostPort.resolve(settings.network().bindHost()).isLoopbackAddress();
    if (!reachable) {
      return "";
    }
    NodeSettings.Places places = settings.places();
    return "   (elsewhere: with --token-file and a copy of "
        + places.tokenFile()
        + places.tls().map(files -> ", and --tls and copies of " + list(files)).orElse("")
        + ")";
  }

  private static String list(TlsFiles files) {
    return files.ca() + ", " + files.certificate() + " and " + files.key();
  }

  private void warnWhenStoreIsOdd(String note) {
    if (!note.isEmpty()) {
      err().println("Note: " + note + ".");
      err().flush();
    }
  }

  private void warnWhenReachable(NodeSettings settings) {
    String host = settings.network().bindHost();
    if (settings.places().tls().isEmpty() && !HostPort.resolve(host).isLoopbackAddress()) {
      err()
          .println(
              "Note: the node can be reached from other machines at "
                  + host
                  + ". Only who has the token can use it, but without --tls the traffic, token"
                  + " included, is not encrypted.");
      err().flush();
    }
  }

  /** Where a control store is. */
  static final class ControlStorePlace implements picocli.CommandLine.ITypeConverter<ControlPlace> {
    @Override
    public ControlPlace convert(String text) {
      try {
        return ControlPlace.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** A name, as it is. */
  static final class TextConverter implements picocli.CommandLine.ITypeConverter<String> {
    @Override
    public String convert(String text) {
      return text;
    }
  }
}
