package io.aktis.cluster.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.RuntimeEnv;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobEnvironmentTest {
  @TempDir Path dir;

  @Test
  void environment_writtenAndRead_isTheSame() throws IOException {
    RuntimeEnv env =
        RuntimeEnv.NONE
            .variable("A", "1 = 2\n#\u00e4")
            .variable("variable.A", "")
            .jvmOption("-Xmx1g")
            .jvmOption("-Da=b c")
            .workingDirectory(dir.resolve("archive"));

    JobEnvironment.write(dir, env);

    assertThat(JobEnvironment.read(dir)).isEqualTo(env);
  }

  @Test
  void environment_ofAJobWithoutOne_isNothing() throws IOException {
    assertThat(JobEnvironment.read(dir)).isEqualTo(RuntimeEnv.NONE);
    JobEnvironment.write(dir, RuntimeEnv.NONE);
    assertThat(JobEnvironment.read(dir)).isEqualTo(RuntimeEnv.NONE);
  }
}
