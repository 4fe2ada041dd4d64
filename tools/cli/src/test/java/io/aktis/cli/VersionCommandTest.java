package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class VersionCommandTest {
  @Test
  void version_asCommand_namesAktisAndTheJvm() {
    StringWriter out = new StringWriter();
    CommandLine commandLine = Main.commandLine().setOut(new PrintWriter(out, true));

    int exitCode = commandLine.execute("version");

    assertThat(exitCode).isZero();
    assertThat(out.toString())
        .startsWith("aktis 0.")
        .doesNotContain("${")
        .contains(Runtime.version().toString());
  }

  @Test
  void aktis_withoutCommand_isAUsageError() {
    StringWriter err = new StringWriter();

    int exitCode = Main.commandLine().setErr(new PrintWriter(err, true)).execute();

    assertThat(exitCode).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).isEqualTo("aktis: Which command?\nTry 'aktis --help'.\n");
  }
}
