package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.cluster.session.ClusterClient;
import io.aktis.wire.message.MemoryReply;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows what is in the object stores of a cluster, and who holds it. */
@Command(
    name = "memory",
    description = {
      "Show what is in the object stores of a cluster, and who holds it.",
      "",
      "An object stays while a reference to it is open, in the program or in a worker, while a task"
          + " waits for it or runs with it, and while a value contains it. Its bytes stay in memory"
          + " while a process reads them; otherwise they may go to disk."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis memory",
      "  aktis memory --limit 200 --json",
      "  aktis memory --gc           Collect garbage in all programs and workers first"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done.",
      "1:No cluster runs there, or it gives no answer; standard error says why.",
      "2:The command line was wrong."
    })
final class MemoryCommand extends ClusterCommand {
  @Mixin private ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--limit",
      paramLabel = "N",
      converter = Limit.class,
      defaultValue = "20",
      description = "Objects of each node, the largest, from 0 to 5000 [20]. Sums are of all.")
  private int limit;

  @Option(
      names = "--gc",
      description =
          "Ask the JVMs of all jobs to collect garbage first, which releases what no code can reach"
              + " any more. It goes on while this command prints; call again to see its effect.")
  private boolean collect;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  int run() throws IOException {
    MemoryReply reply;
    try (ClusterClient client = ClusterClient.open(cluster.find())) {
      if (collect) {
        client.collectGarbage();
      }
      reply = client.memory(limit);
    }
    ClusterMemory memory = new ClusterMemory(reply);
    if (json) {
      out().println(JSON.std.asString(memory.toMap()));
    } else {
      memory.print(out());
    }
    out().flush();
    return ExitCode.OK;
  }

  /** How many objects are shown. */
  static final class Limit implements picocli.CommandLine.ITypeConverter<Integer> {
    private static final int MOST = 5_000;

    @Override
    public Integer convert(String text) {
      return WholeNumber.parse(text, 0, MOST);
    }
  }
}
