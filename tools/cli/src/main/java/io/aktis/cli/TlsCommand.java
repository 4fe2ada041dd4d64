package io.aktis.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/** Makes certificates; which is said by a command of its own. */
@Command(
    name = "tls",
    description = "Make the certificates of a cluster that uses TLS.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {TlsInitCommand.class, TlsIssueCommand.class})
final class TlsCommand extends CliCommand {
  @Override
  public Integer call() {
    throw new ParameterException(spec().commandLine(), "Which command: init, issue?");
  }
}
