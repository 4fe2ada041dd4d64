package io.aktis.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Amounts with units, as options take them. */
final class Amounts {
  private static final Pattern NUMBER_AND_UNIT =
      Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)\\s*([A-Za-z/]*)");

  private static final Map<String, Long> BYTES =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("b", 1L),
          Map.entry("k", 1L << 10),
          Map.entry("kib", 1L << 10),
          Map.entry("kb", 1_000L),
          Map.entry("m", 1L << 20),
          Map.entry("mib", 1L << 20),
          Map.entry("mb", 1_000_000L),
          Map.entry("g", 1L << 30),
          Map.entry("gib", 1L << 30),
          Map.entry("gb", 1_000_000_000L),
          Map.entry("t", 1L << 40),
          Map.entry("tib", 1L << 40),
          Map.entry("tb", 1_000_000_000_000L));

  private static final Map<String, Long> BYTES_PER_SECOND =
      Map.of(
          "kb/s", 1_000L,
          "mb/s", 1_000_000L,
          "gb/s", 1_000_000_000L,
          "kbit", 125L,
          "mbit", 125_000L,
          "gbit", 125_000_000L);

  private static final Map<String, Long> MILLISECONDS =
      Map.of("ms", 1L, "", 1_000L, "s", 1_000L, "m", 60_000L, "min", 60_000L, "h", 3_600_000L);

  private Amounts() {}

  private static long parse(
      String text, Map<String, Long> units, long least, long most, String allowed) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(text.strip());
    if (matcher.matches()) {
      Long unit = units.get(matcher.group(2).toLowerCase(Locale.ROOT));
      if (unit != null) {
        BigDecimal amount = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
        if (amount.compareTo(BigDecimal.valueOf(least)) >= 0
            && amount.compareTo(BigDecimal.valueOf(most)) <= 0) {
          return amount.longValue();
        }
      }
    }
    throw new TypeConversionException("'" + text + "' is not " + allowed);
  }

  /** An amount of memory. */
  static final class Bytes implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return parse(
          text,
          BYTES,
          1L << 20,
          1L << 50,
          "an amount of memory from 1 MiB to 1 PiB, such as 512MiB, 2GB or 10g (k, m, g and t count"
              + " in 1,024, kB, MB, GB and TB in 1,000)");
    }
  }

  /** A length of time. */
  static final class Time implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Duration.ofMillis(
          parse(
              text,
              MILLISECONDS,
              0,
              86_400_000L,
              "a length of time up to 24h, such as 500ms, 10s or 2m"));
    }
  }

  /** How much a network lets through in a second, in bytes. */
  static final class Rate implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return parse(
          text,
          BYTES_PER_SECOND,
          10_000,
          100_000_000_000L,
          "a rate from 10kB/s to 100GB/s, such as 5MB/s or 100mbit (a second)");
    }
  }

  /** A number of CPUs, which may have a fraction. */
  static final class Cpus implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return parse(text, Map.of("", 10_000L), 0, 100_000_000, "a number of CPUs from 0 to 10,000")
          / 10_000.0;
    }
  }

  /** A number of GPUs. */
  static final class Gpus implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return WholeNumber.parse(text, 0, 1_000);
    }
  }

  /** A port; 0 stands for any. */
  static final class Port implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return WholeNumber.parse(text, 0, 65_535);
    }
  }

  /** An amount of a custom resource. */
  static final class Custom implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return parse(
              text,
              Map.of("", 10_000L),
              1,
              10_000_000_000_000L,
              "an amount of a resource: a number from 0.0001 to 1,000,000,000")
          / 10_000.0;
    }
  }
}
