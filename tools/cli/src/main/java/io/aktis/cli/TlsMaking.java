package io.aktis.cli;

import io.aktis.cluster.session.TlsPlaces;
import io.aktis.cluster.tls.ClusterTls;
import io.aktis.cluster.tls.TlsException;
import io.aktis.cluster.tls.TlsFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What the commands that make certificates have in common. Confined to one thread. */
final class TlsMaking {
  @Option(
      names = "--host",
      paramLabel = "NAME",
      arity = "1..*",
      description =
          "Names and addresses to put in as well, for other programs; Aktis does not need any.")
  private List<String> hosts = new ArrayList<>();

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "365",
      converter = Days.class,
      description = "How long the certificate is valid [${DEFAULT-VALUE}].")
  private int days;

  List<String> hosts() {
    return hosts;
  }

  Duration validity() {
    return Duration.ofDays(days);
  }

  /** Returns the directory that was named, else the usual one. */
  static Path directory(@Nullable Path named) {
    return named == null ? TlsPlaces.usual() : named.toAbsolutePath().normalize();
  }

  /** Tells how the option of a directory is written; where it is the usual one, without it. */
  static String option(Path directory) {
    return directory.equals(TlsPlaces.usual()) ? "--tls" : "--tls " + directory;
  }

  /**
   * Prints what was made for nodes and programs, after it was read as they do it.
   *
   * @throws TlsException when it cannot be used
   */
  static void print(PrintWriter out, TlsFiles files) throws TlsException {
    LocalDate end = LocalDate.ofInstant(ClusterTls.load(files).expires(), ZoneOffset.UTC);
    out.println("  " + name(files.ca()) + "         the certificate of the CA");
    out.println("  " + name(files.certificate()) + "       a certificate, valid until " + end);
    out.println("  " + name(files.key()) + "   its key, a secret");
  }

  static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** A number of days. */
  static final class Days implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return WholeNumber.parse(text, 1, 3_650);
    }
  }
}
