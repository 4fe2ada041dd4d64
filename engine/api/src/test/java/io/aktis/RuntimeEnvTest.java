package io.aktis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuntimeEnvTest {
  private static final RuntimeEnv PARENT =
      RuntimeEnv.NONE
          .variable("A", "parent")
          .variable("B", "parent")
          .jar(Path.of("parent.jar"))
          .jvmOption("-Xmx1g")
          .workingDirectory(Path.of("parent"));

  @Test
  void merged_withNothing_isTheParent() {
    assertThat(PARENT.mergedWith(RuntimeEnv.NONE)).isEqualTo(PARENT);
    assertThat(RuntimeEnv.NONE.mergedWith(PARENT)).isEqualTo(PARENT);
    assertThat(PARENT.mergedWith(PARENT)).isEqualTo(PARENT);
  }

  @Test
  void merged_withAChild_hasItsVariablesByNameAndTheRestAsAWhole() {
    RuntimeEnv child =
        RuntimeEnv.NONE
            .variable("B", "child")
            .jar(Path.of("one.jar"))
            .jar(Path.of("two.jar"))
            .jvmOption("-Da=b");

    assertThat(PARENT.mergedWith(child))
        .isEqualTo(
            new RuntimeEnv(
                Map.of("A", "parent", "B", "child"),
                List.of(Path.of("one.jar"), Path.of("two.jar")),
                List.of("-Da=b"),
                Optional.of(Path.of("parent"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Main", "-", "@file", "-cp", "-jar", "--module=a", "-cp=x", "-Da=\0"})
  void option_thatIsNoneForThis_isRefused(String option) {
    assertThatThrownBy(() -> RuntimeEnv.NONE.jvmOption(option))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + option + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"A=B", "A\0", "AKTIS_TOKEN", " "})
  void variable_thatIsNoneForThis_isRefused(String name) {
    assertThatThrownBy(() -> RuntimeEnv.NONE.variable(name, "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void path_ofAnotherFileSystem_isRefused(@TempDir Path dir) throws Exception {
    Path zip = dir.resolve("a.zip");
    try (FileSystem inside = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      assertThatThrownBy(() -> RuntimeEnv.NONE.jar(inside.getPath("x.jar")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("default file system");
    }
  }
}
