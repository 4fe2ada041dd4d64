package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.ObjectRef;
import io.aktis.RuntimeEnv;
import io.aktis.RuntimeEnvException;
import io.aktis.SessionOptions;
import io.aktis.testkit.EngineTest;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runtime environments. */
@EngineTest(cpus = 1, options = RuntimeEnvTest.SessionVariables.class)
class RuntimeEnvTest {
  private static final RuntimeEnv OWN =
      RuntimeEnv.NONE.variable("COLOUR", "blue").variable("SIZE", "small");

  static final class SessionVariables implements UnaryOperator<SessionOptions> {
    @Override
    public SessionOptions apply(SessionOptions options) {
      return options.runtimeEnv(
          RuntimeEnv.NONE.variable("COLOUR", "red").variable("SHAPE", "round"));
    }
  }

  static final class Painter {
    Map<String, String> env() {
      return Aktis.context().env();
    }

    String colour() {
      return System.getProperty("colour");
    }
  }

  @Test
  @Semantics("7.env.variables")
  void variables_ofTheSession_areInEveryTask() {
    assertThat(Aktis.task(RuntimeEnvTest::env).remote().get())
        .containsEntry("COLOUR", "red")
        .containsEntry("SHAPE", "round");
  }

  @Test
  @Semantics("7.env.variables")
  void variables_ofTheTask_goOverThoseOfTheSession() {
    assertThat(Aktis.task(RuntimeEnvTest::env).runtimeEnv(OWN).remote().get())
        .containsEntry("COLOUR", "blue")
        .containsEntry("SIZE", "small")
        .containsEntry("SHAPE", "round");
    assertThat(Aktis.task(RuntimeEnvTest::env).remote().get()).doesNotContainKey("SIZE");
  }

  @Test
  @Semantics("7.env.variables")
  void variables_ofAParent_areItsChildrensToo() {
    assertThat(
            Aktis.task(() -> Aktis.task(RuntimeEnvTest::env).remote().get())
                .runtimeEnv(OWN)
                .remote()
                .get())
        .containsEntry("COLOUR", "blue")
        .containsEntry("SHAPE", "round");
  }

  @Test
  @Semantics("7.env.actor")
  void variables_ofAnActor_areInItsMethods() {
    try (ActorHandle<Painter> painter = Aktis.actor(Painter::new).runtimeEnv(OWN).remote()) {
      assertThat(painter.call(Painter::env).get())
          .containsEntry("COLOUR", "blue")
          .containsEntry("SHAPE", "round");
    }
  }

  @Test
  @SeveralProcesses("all code runs in the JVM of the program")
  @Semantics("7.env.jvm")
  void jvmOptions_ofWork_areThoseOfItsProcess() {
    RuntimeEnv env =
        new RuntimeEnv(Map.of(), List.of(), List.of("-Dcolour=blue"), Optional.empty());

    assertThat(Aktis.task(() -> System.getProperty("colour")).runtimeEnv(env).remote().get())
        .isEqualTo("blue");
    try (ActorHandle<Painter> painter = Aktis.actor(Painter::new).runtimeEnv(env).remote()) {
      assertThat(painter.call(Painter::colour).get()).isEqualTo("blue");
    }
    assertThat(Aktis.task(() -> System.getProperty("colour")).remote().get()).isNull();
  }

  static List<RuntimeEnv> environmentsOfAProcess() {
    return List.of(
        new RuntimeEnv(Map.of(), List.of(Path.of("more.jar")), List.of(), Optional.empty()),
        new RuntimeEnv(Map.of(), List.of(), List.of("-Xmx1g"), Optional.empty()),
        new RuntimeEnv(Map.of(), List.of(), List.of(), Optional.of(Path.of("elsewhere"))));
  }

  @ParameterizedTest
  @MethodSource("environmentsOfAProcess")
  @OneProcess("a worker is a process, and can have its own")
  @Semantics("7.env.refused")
  void environment_thatNeedsAProcess_isRefused(RuntimeEnv env) {
    assertThatThrownBy(
            () -> {
              ObjectRef<Integer> ref = Aktis.task(() -> 1).runtimeEnv(env).remote();
              ref.get();
            })
        .isInstanceOf(RuntimeEnvException.class)
        .hasMessageContaining("embedded");
  }

  static Map<String, String> env() {
    return Aktis.context().env();
  }
}
