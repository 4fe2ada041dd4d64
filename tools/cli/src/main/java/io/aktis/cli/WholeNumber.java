package io.aktis.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A whole number with bounds, as an option takes it. */
final class WholeNumber {
  private WholeNumber() {}

  static int parse(String text, int least, int most) {
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return (int) number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new TypeConversionException(
        String.format(
            Locale.ROOT, "'%s' is not a whole number from %,d to %,d", text, least, most));
  }

  /** A number of CPUs. */
  static final class Cpus implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return parse(text, 1, 10_000);
    }
  }
}
