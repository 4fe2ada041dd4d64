package io.aktis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says which Aktis this is, and on which JVM it runs. */
@Command(name = "version", description = "Print the version of Aktis and of the JVM it runs on.")
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec
  VersionCommand() {}

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    for (String line : lines()) {
      out.println(line);
    }
    out.flush();
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
