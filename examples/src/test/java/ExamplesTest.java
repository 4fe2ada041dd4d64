import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs each example on a small size; an example fails by itself when its result is wrong. */
@Timeout(60)
final class ExamplesTest {
  @Test
  void primes_belowAHundredThousand_areCounted() throws Exception {
    assertThat(outputOf(Primes::main, "100000"))
        .isEqualTo("9,592 primes below 100,000, counted by 4 tasks\n");
  }

  @Test
  void primes_belowTwo_areNone() throws Exception {
    assertThat(outputOf(Primes::main, "1")).startsWith("0 primes below 1,");
  }

  @Test
  void pi_ofAMillionDarts_isClose() throws Exception {
    assertThat(outputOf(Pi::main, "10")).contains("pi is about 3.1", "after 1,000,000 darts");
  }

  @Test
  void wordCount_ofFiveFiles_countsEveryWord() throws Exception {
    assertThat(outputOf(WordCount::main, "5"))
        .startsWith("100,000 words, 9 different, in 5 files\n")
        .contains(" the\n");
  }

  @Test
  void parameterServer_withFourWorkers_findsTheWeights() throws Exception {
    assertThat(outputOf(ParameterServer::main, "150"))
        .startsWith("weights after 600 steps: [")
        .contains("off by 0.0");
  }

  @Test
  void tune_overAllCombinations_findsAGoodOne() throws Exception {
    assertThat(outputOf(Tune::main, "300")).contains("better: ").contains("best of 36 trials: 0.9");
  }

  @Test
  void queens_ofEight_standIn92Ways() throws Exception {
    assertThat(outputOf(Queens::main, "8")).isEqualTo("92 ways to place 8 queens\n");
  }

  @Test
  void pipeline_ofAHundredFrames_findsTheLightInAll() throws Exception {
    assertThat(outputOf(Pipeline::main, "100"))
        .startsWith("the light was found in 100 of 100 frames\n")
        .contains("the camera was at most ");
  }

  @Test
  void crawler_ofThirtyPages_visitsAll() throws Exception {
    assertThat(outputOf(Crawler::main, "30")).startsWith("30 pages visited in ");
  }

  @Test
  void example_inItsFolder_hasAReadmeThatSaysHowToRunIt() throws Exception {
    try (Stream<Path> sources = Files.list(Path.of("."))) {
      List<Path> folders = sources.filter(path -> isExample(path)).toList();
      assertThat(folders).hasSize(8);
      for (Path folder : folders) {
        assertThat(folder.resolve("README.md"))
            .content()
            .contains("./aktis run examples/" + folder.getFileName() + "/");
      }
    }
  }

  private static boolean isExample(Path path) {
    String name = path.getFileName().toString();
    return Files.isDirectory(path) && !name.equals("src") && !name.equals("target");
  }

  private interface Main {
    void run(String[] args) throws Exception;
  }

  private static String outputOf(Main main, String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(out, true, UTF_8));
    try {
      main.run(args);
    } finally {
      System.setOut(before);
    }
    return out.toString(UTF_8);
  }
}
