package io.aktis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** Says which Aktis this is, and on which JVM it runs. */
@Command(name = "version", description = "Print the version of Aktis and of the JVM it runs on.")
final class VersionCommand extends CliCommand {
  @Override
  public Integer call() {
    for (String line : lines()) {
      out().println(line);
    }
    return ExitCode.OK;
  }

  private static String[] lines() {
    return new String[] {
      "aktis " + version(),
      "java  " + Runtime.version() + " (" + System.getProperty("java.vm.name") + ")",
      "home  " + System.getProperty("java.home"),
      "os    " + System.getProperty("os.name") + " " + System.getProperty("os.arch"),
    };
  }

  private static String version() {
    Properties properties = new Properties();
    try (InputStream in = VersionCommand.class.getResourceAsStream("version.properties")) {
      if (in == null) {
        throw new IllegalStateException("version.properties is missing from the jar of the CLI");
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }

  /** The same lines for {@code --version}. */
  static final class Provider implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return lines();
    }
  }
}
