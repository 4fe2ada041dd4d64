package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.cluster.session.ClusterClient;
import io.aktis.core.id.ShownId;
import io.aktis.wire.message.WhyReply;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Tells why something of a program that runs is not done yet. */
@Command(
    name = "why",
    description = {
      "Tell why a task, a value, an actor or a placement group is not there yet.",
      "",
      "The program that owns it is asked, so it has to run. What it waits for is told down to what"
          + " that waits for. Ids are in logs, in messages of failures, in 'aktis memory', and what"
          + " id() returns."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis why task-0a1b2c3d-5",
      "  aktis why object-0a1b2c3d-5.0 --json",
      "  aktis why actor-0a1b2c3d-2"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:Done.",
      "1:Nothing unfinished has this id, or no cluster gives an answer; standard error says why.",
      "2:The command line was wrong."
    })
final class WhyCommand extends ClusterCommand {
  @Mixin private ClusterOption cluster = new ClusterOption();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Parameters(
      paramLabel = "ID",
      converter = Id.class,
      description = "Of a task, a value, an actor or a placement group.")
  private String id;

  @SuppressWarnings("NullAway.Init") // picocli sets the id
  WhyCommand() {}

  @Override
  int run() throws IOException {
    WhyReply reply;
    try (ClusterClient client = ClusterClient.open(cluster.find())) {
      reply = client.why(id);
    }
    if (!reply.getOwnerIsHere()) {
      throw new CommandFailure(
          ExitCode.FAILED, "the program that made " + id + " does not run on this cluster", "");
    }
    if (reply.getLinesCount() == 0) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "nothing unfinished of " + reply.getProgram() + " has the id " + id,
          "it has ended, its references were released, or it was never there");
    }
    print(reply);
    return ExitCode.OK;
  }

  private void print(WhyReply reply) throws IOException {
    if (json) {
      Map<String, Object> told = new LinkedHashMap<>();
      told.put("id", id);
      told.put("program", reply.getProgram());
      told.put("lines", reply.getLinesList());
      out().println(JSON.std.asString(told));
    } else {
      reply.getLinesList().forEach(out()::println);
      out().println("of the program " + reply.getProgram());
    }
    out().flush();
  }

  /** An id as people see it. */
  static final class Id implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (ShownId.parse(text) == null) {
        throw new TypeConversionException(
            "'"
                + text
                + "' is not an id such as task-0a1b2c3d-5, object-0a1b2c3d-5.0,"
                + " actor-0a1b2c3d-2 or group-0a1b2c3d-1");
      }
      return text;
    }
  }
}
