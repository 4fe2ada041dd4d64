package io.aktis.cluster.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.function.TaskFunction0;
import io.aktis.wire.value.Encoded;
import io.aktis.wire.value.ValueCodec;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole way: a program's class path is scanned, kept by a node, and a lambda of the program
 * runs in another process, whose own class path does not have the program.
 */
class UnitInProcessTest {
  private static final String MAIN =
      """
      package app;
      import io.aktis.function.*;
      public class Main implements TaskFunction0<Object> {
        public sealed interface Shape permits Square, Circle {}
        public record Square(int side) implements Shape {}
        public record Circle(double radius, String build) implements Shape {}
        static class Scale { int factor = 3; }
        public Object apply() {
          Scale scale = new Scale();
          Shape shape = new Square(2);
          TaskFunction1<Integer, Object> inner =
              number -> shape instanceof Square(int side) ? side * number * scale.factor : 0;
          return (TaskFunction1<Integer, Object>) number ->
              new Circle(((Integer) inner.apply(number)).doubleValue(), "%s");
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void lambdaOfAUnit_runsInAnotherProcessWithItsOwnBuild() throws Exception {
    Path one =
        TestCode.jarOf(directory.resolve("one.jar"), Map.of("app.Main", MAIN.formatted("1")));
    Path two =
        TestCode.jarOf(directory.resolve("two.jar"), Map.of("app.Main", MAIN.formatted("2")));
    assertThat(runElsewhere(one)).isEqualTo("Circle[radius=120.0, build=1]");
    assertThat(runElsewhere(two)).isEqualTo("Circle[radius=120.0, build=2]");
  }

  private String runElsewhere(Path program) throws Exception {
    ClassLoader system = ClassLoader.getSystemClassLoader();
    try (URLClassLoader driver = new URLClassLoader(new URL[] {program.toUri().toURL()}, system);
        CodeUnitScan scan = CodeUnitScan.ofProgram(driver);
        CodeCache cache = CodeCache.open(directory.resolve("code"), CodeCache.DEFAULT_LIMIT_BYTES);
        ValueCodec codec = ValueCodec.of(driver)) {
      for (var file : cache.lacks(scan.unit()).getFilesList()) {
        try (var in = scan.open(file)) {
          cache.put(file, in);
        }
      }
      var main = (TaskFunction0<?>) driver.loadClass("app.Main").getConstructor().newInstance();
      Path call = Files.write(directory.resolve("call"), codec.encode(main.apply()).toBytes());
      Path answer = directory.resolve("answer");
      String output = run(call, answer, cache.paths(scan.unit()));
      assertThat(output).contains("the code unit 'foreign'");
      Object result = codec.decode(Encoded.open(Files.readAllBytes(answer)));
      assertThat(result.getClass().getClassLoader()).isSameAs(driver);
      return result.toString();
    }
  }

  private String run(Path call, Path answer, List<Path> unit) throws Exception {
    Path output = directory.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ForeignProcess.class.getName(),
            call.toString(),
            answer.toString()));
    unit.forEach(file -> command.add(file.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output);
  }
}
