package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mistakes that a port from a language without types makes, and that must not compile. */
class CompilerTest {
  @TempDir Path classes;

  @Test
  @Semantics("2.call.compiler")
  void program_withReferencesAsArguments_compiles() {
    assertThat(
            errors(
                """
                ObjectRef<Boolean> prime = Aktis.task(Program::isPrime, 7L).remote();
                ObjectRef<String> text = Aktis.task(Program::say, prime, "is prime").remote();
                ObjectRef<String> late = Aktis.task(Program::say, true, text).remote();
                """))
        .isEmpty();
  }

  @Test
  @Semantics("2.call.compiler")
  void reference_asTruthValue_doesNotCompile() {
    assertThat(
            errors(
                """
                long count = 0;
                for (long n = 0; n < 100; n++) {
                  if (Aktis.task(Program::isPrime, n).remote()) count++;
                }
                """))
        .containsExactly(
            "incompatible types: io.aktis.ObjectRef<java.lang.Boolean> cannot be converted to"
                + " boolean");
  }

  @Test
  @Semantics("2.call.compiler")
  void reference_asOperand_doesNotCompile() {
    assertThat(errors("boolean not = !Aktis.task(Program::isPrime, 7L).remote();")).hasSize(1);
    assertThat(errors("int one = Aktis.task(Math::abs, 1).remote() + 1;")).hasSize(1);
  }

  @Test
  @Semantics("2.call.compiler")
  void filter_byReference_doesNotCompile() {
    assertThat(
            errors(
                """
                java.util.stream.LongStream.range(0, 100)
                    .filter(n -> Aktis.task(Program::isPrime, n).remote())
                    .count();
                """))
        .isNotEmpty();
  }

  @Test
  @Semantics("2.call.compiler")
  void argument_ofAnotherType_doesNotCompile() {
    assertThat(errors("Aktis.task(Program::isPrime, \"7\").remote();")).isNotEmpty();
    assertThat(errors("Aktis.task(Program::isPrime, Aktis.put(\"7\")).remote();")).isNotEmpty();
    assertThat(errors("Aktis.task(Program::isPrime).remote();")).isNotEmpty();
    assertThat(errors("Aktis.task(Program::isPrime, 7L, 8L).remote();")).isNotEmpty();
  }

  @Test
  @Semantics("2.call.compiler")
  void result_asAnotherType_doesNotCompile() {
    assertThat(errors("String s = Aktis.task(Program::isPrime, 7L).remote().get();")).isNotEmpty();
  }

  private List<String> errors(String statements) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("-cp", System.getProperty("java.class.path"), "-d", classes.toString());
      compiler
          .getTask(null, files, diagnostics, options, null, List.of(program(statements)))
          .call();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return diagnostics.getDiagnostics().stream()
        .map(diagnostic -> diagnostic.getMessage(Locale.ENGLISH).lines().findFirst().orElse(""))
        .toList();
  }

  private static JavaFileObject program(String statements) {
    String source =
        """
        import io.aktis.*;
        class Program {
          static boolean isPrime(long n) { return n > 1; }
          static String say(boolean yes, String text) { return yes + text; }
          static void main() {
            %s
          }
        }
        """
            .formatted(statements);
    return new SimpleJavaFileObject(
        URI.create("string:///Program.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }
}
