package io.aktis.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javax.tools.ToolProvider;

/** Programs that the tests write. */
final class Sources {
  private Sources() {}

  /** Compiles a file with the class path of this JVM. */
  static void compile(Path source, Path classes) {
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                source.toString());
    assertThat(code).as("the exit code of the compiler").isZero();
  }
}
