package io.aktis.cli;

import com.fasterxml.jackson.jr.ob.JSON;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Shows on a small problem what Aktis does. */
@Command(
    name = "demo",
    description = {
      "Count primes on one thread, in chunks on all cores, and with one task per number.",
      "",
      "The last is what engines of this kind tell their users to avoid. The counts must agree. Each"
          + " way is measured after a warm-up, short runs several times: the best counts."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  aktis demo",
      "  aktis demo --limit 20000000 --cpus 2",
      "  aktis demo --json",
      "  aktis demo --address auto"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:The counts agree.",
      "1:The counts differ, or the engine failed.",
      "2:The command line was wrong."
    })
final class DemoCommand extends CliCommand {
  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "5000000",
      converter = LimitConverter.class,
      description = "Count the primes below N [${DEFAULT-VALUE}].")
  private int limit;

  @Option(
      names = "--cpus",
      paramLabel = "N",
      converter = WholeNumber.Cpus.class,
      description = "CPUs to use [all of this machine, or of the cluster].")
  private @Nullable Integer cpus;

  @Option(
      names = "--address",
      paramLabel = "HOST:PORT",
      converter = Address.OfEngine.class,
      description = "Where to run: a node of a cluster, auto, or local [AKTIS_ADDRESS, or local].")
  private @Nullable String address;

  @Mixin private TlsOption tls = new TlsOption();

  @Option(
      names = "--json",
      description = "Print one JSON object, and nothing else, on standard output.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    String where = address != null ? address : Address.fromEnvironment(Address.LOCAL);
    DemoResult result = where.equals(Address.LOCAL) ? runHere() : runAt(where);
    if (json) {
      out().println(JSON.std.asString(result.toMap()));
    } else {
      result.print(out());
    }
    out().flush();
    result.checkAgreement();
    return ExitCode.OK;
  }

  private DemoResult runHere() {
    if (tls.isGiven()) {
      throw new ParameterException(
          spec().commandLine(), "--tls is for clusters; --address says which");
    }
    int usedCpus = cpus != null ? cpus : Runtime.getRuntime().availableProcessors();
    try (AktisSession _ = Aktis.init(options -> options.address(Address.LOCAL).cpus(usedCpus))) {
      return new Demo(limit, usedCpus, display()).run();
    }
  }

  private DemoResult runAt(String where) {
    if (cpus != null) {
      throw new ParameterException(
          spec().commandLine(),
          "--cpus shapes an engine of this command; " + where + " has its own");
    }
    tls.applyToThisJvm();
    try (AktisSession session = Aktis.init(where)) {
      int clusterCpus = Math.max(1, (int) session.cluster().total("CPU"));
      return new Demo(limit, clusterCpus, display()).run();
    }
  }

  private Progress.Display display() {
    return json ? Progress.Display.NONE : Progress.Display.of(err());
  }

  /** The range of numbers that the demo can count in. */
  static final class LimitConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return WholeNumber.parse(text, 0, 2_000_000_000);
    }
  }
}
