package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Keeps the help of the commands in the reference as it is. Run with {@code
 * -Daktis.docs.write=true} to write it.
 */
final class CliReferenceTest {
  private static final Path REFERENCE = Path.of("../../docs/reference/cli.md");
  private static final Pattern BLOCK =
      Pattern.compile("<!-- help: ([a-z ]+) -->\n(?:\n```\n.*?```\n)?", Pattern.DOTALL);

  @Test
  void reference_ofEachCommand_hasItsHelp() throws IOException {
    String written = Files.readString(REFERENCE);
    String wanted =
        BLOCK.matcher(written).replaceAll(block -> Matcher.quoteReplacement(block(block.group(1))));
    if (Boolean.getBoolean("aktis.docs.write")) {
      Files.writeString(REFERENCE, wanted);
    } else {
      assertThat(written).as("run with -Daktis.docs.write=true").isEqualTo(wanted);
    }
  }

  @Test
  void reference_ofAllCommands_leavesOutNone() throws IOException {
    String written = Files.readString(REFERENCE);

    for (String command : Main.commandLine().getSubcommands().keySet()) {
      if (!command.equals("help")) {
        assertThat(written).contains("<!-- help: aktis " + command + " -->");
      }
    }
  }

  private static String block(String command) {
    CommandLine commandLine = Main.commandLine();
    for (String name : command.split(" ")) {
      if (!name.equals("aktis")) {
        commandLine = commandLine.getSubcommands().get(name);
      }
    }
    return "<!-- help: "
        + command
        + " -->\n\n```\n"
        + commandLine.getUsageMessage(Ansi.OFF)
        + "```\n";
  }
}
