package io.aktis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class AmountsTest {
  @ParameterizedTest
  @CsvSource({
    "512MiB,536870912",
    "2GB,2000000000",
    "10g,10737418240",
    "1.5 GiB,1610612736",
    "2097152,2097152",
    "1024K,1048576",
    "1PiB,-1",
    "0.5k,-1",
    "1048575,-1",
    "1125899906842625,-1",
    "99999999999999999999,-1",
    "-1g,-1",
    "1e9,-1",
    "g,-1",
    "'',-1"
  })
  void size_withAUnit_isInBytesOrRefused(String text, long bytes) {
    Amounts.Bytes converter = new Amounts.Bytes();
    if (bytes < 0) {
      assertThatThrownBy(() -> converter.convert(text))
          .isInstanceOf(TypeConversionException.class)
          .hasMessageStartingWith("'" + text + "' is not an amount of memory from 1 MiB to 1 PiB");
    } else {
      assertThat(converter.convert(text)).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @CsvSource({"500ms,500", "10s,10000", "10,10000", "2m,120000", "1.5h,5400000", "0,0"})
  void time_withAUnit_isALength(String text, long millis) {
    assertThat(new Amounts.Time().convert(text).toMillis()).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "soon", "-1s", "25h", "10 seconds", "1d"})
  void time_thatMakesNoSense_isRefused(String text) {
    assertThatThrownBy(() -> new Amounts.Time().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("such as 500ms, 10s or 2m");
  }

  @ParameterizedTest
  @CsvSource({"2,2.0", "0.5,0.5", "0,0.0", "10000,10000.0"})
  void cpus_thatMakeSense_areTaken(String text, double cpus) {
    assertThat(new Amounts.Cpus().convert(text)).isEqualTo(cpus);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "two", "10001", "1e3", "NaN"})
  void cpus_thatMakeNoSense_areRefused(String text) {
    assertThatThrownBy(() -> new Amounts.Cpus().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("is not a number of CPUs from 0 to 10,000");
  }

  @ParameterizedTest
  @CsvSource({
    "10kB/s,10000",
    "1.5MB/s,1500000",
    "100mbit,12500000",
    "1 Gbit,125000000",
    "9kB/s,-1",
    "1MB,-1",
    "5,-1",
    "1MB/h,-1"
  })
  void rate_withAUnit_isInBytesASecondOrRefused(String text, long bytesPerSecond) {
    Amounts.Rate converter = new Amounts.Rate();
    if (bytesPerSecond < 0) {
      assertThatThrownBy(() -> converter.convert(text))
          .isInstanceOf(TypeConversionException.class)
          .hasMessageContaining("is not a rate from 10kB/s to 100GB/s");
    } else {
      assertThat(converter.convert(text)).isEqualTo(bytesPerSecond);
    }
  }
}
