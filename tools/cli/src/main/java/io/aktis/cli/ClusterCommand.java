package io.aktis.cli;

import io.aktis.cluster.tls.TlsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine.ParameterException;

/**
 * What the commands about clusters have in common: the engine says in whole sentences what is
 * wrong, and these are told as they are.
 */
abstract class ClusterCommand extends CliCommand {
  @Override
  public final Integer call() throws IOException, InterruptedException {
    try {
      return run();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    } catch (IllegalStateException | UncheckedIOException | TlsException e) {
      CommandFailure failure =
          new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), "");
      failure.initCause(e);
      throw failure;
    }
  }

  /**
   * Does the work of the command.
   *
   * @return the exit code
   * @throws IllegalArgumentException when the command line makes no sense; told as it is
   * @throws IllegalStateException when it cannot be done; told as it is
   */
  abstract int run() throws IOException, InterruptedException;
}
