package io.aktis.conformance;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.conformance.Contract.Mode;
import io.aktis.conformance.Contract.Rule;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Keeps {@code docs/internals/conformance.md} equal to the contract and the tests. Rewrite it with
 * {@code ./mvnw -q -pl testing/conformance -am test -Dtest=ConformanceDocumentTest
 * -Dsurefire.failIfNoSpecifiedTests=false -Daktis.docs.write=true}.
 */
class ConformanceDocumentTest {
  private static final Contract CONTRACT = Contract.load();

  @Test
  void everyTest_ofTheSuite_namesRulesOfTheContract() throws Exception {
    for (Method test : tests()) {
      Semantics semantics = test.getAnnotation(Semantics.class);
      assertThat(semantics).as("@Semantics at " + name(test)).isNotNull();
      for (String id : semantics.value()) {
        assertThat(CONTRACT.rules()).as("rule named by " + name(test)).containsKey(id);
        for (Mode mode : Mode.values()) {
          assertThat(CONTRACT.rules().get(id).applies(mode) || !runs(test, mode))
              .as("rule %s, tested by %s, is said not to apply, mode %s", id, name(test), mode)
              .isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyRule_thatApplies_hasATestThatRuns(Mode mode) throws Exception {
    Set<String> tested =
        tests().stream()
            .filter(test -> runs(test, mode))
            .flatMap(test -> Stream.of(test.getAnnotation(Semantics.class).value()))
            .collect(toSet());
    assertThat(CONTRACT.rules().values())
        .filteredOn(rule -> rule.applies(mode))
        .extracting(Rule::id)
        .isSubsetOf(tested);
  }

  private static boolean runs(Method test, Mode mode) {
    return switch (mode) {
      case EMBEDDED -> !test.isAnnotationPresent(SeveralProcesses.class);
      case PROCESSES -> !test.isAnnotationPresent(OneProcess.class);
    };
  }

  @Test
  void document_inTheRepository_isUpToDate() throws Exception {
    Path file = repository().resolve("docs/internals/conformance.md");
    String document = document(testsByRule());
    if (Boolean.getBoolean("aktis.docs.write")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, document);
    }
    assertThat(file).content().isEqualTo(document);
  }

  private static String document(Map<String, List<String>> tests) {
    StringBuilder text =
        new StringBuilder(
            """
            # Conformance

            What a user may rely on, rule by rule, and the tests of `testing/conformance` that prove it. Generated
            from `semantics.txt` and the tests by `ConformanceDocumentTest`; do not edit.

            The same tests run in several modes, which the property `aktis.test.mode` chooses: *embedded* in the JVM
            of the program; *messages*, where driver, nodes and workers are in one JVM and know of each other by
            encoded messages only; *processes*, where a daemon for each node and its workers are processes of one
            machine; and *nodes*, where the daemons are spread over three hosts with addresses and shared memory of
            their own, and the program runs on none of them. The hosts are network namespaces, which need Linux and
            root. A build runs the first two modes; the others are

            ```
            ./mvnw verify -pl testing/conformance -am -Daktis.test.mode=processes
            ./mvnw verify -pl testing/conformance -am -Daktis.test.mode=nodes -Daktis.test.tls=true
            ```

            With `aktis.test.tls` all connections use mutual TLS.

            A test runs in every mode unless it says where: *(embedded)*, or *(processes)*, which is in mode *nodes*
            too.
            """);
    CONTRACT
        .sections()
        .forEach((section, title) -> {
          text.append("\n## ").append(section).append(". ").append(title);
          text.append("\n\n| item | rule | tests |\n|---|---|---|\n");
          CONTRACT.rules().values().stream()
              .filter(rule -> rule.section().equals(section))
              .forEach(rule -> text.append(row(rule, tests)));
        });
    return text.toString();
  }

  private static String row(Rule rule, Map<String, List<String>> tests) {
    List<String> proof = new ArrayList<>(tests.getOrDefault(rule.id(), List.of()));
    if (!rule.applies(Mode.EMBEDDED)) {
      proof.add("*Not embedded:* " + rule.notEmbedded());
    }
    if (!rule.applies(Mode.PROCESSES)) {
      proof.add("*Not between processes:* " + rule.notInProcesses());
    }
    return "| " + rule.item() + " | " + rule.text() + " | " + String.join("<br>", proof) + " |\n";
  }

  private static Map<String, List<String>> testsByRule() throws Exception {
    Map<String, List<String>> byRule = new TreeMap<>();
    for (Method test : tests()) {
      for (String id : test.getAnnotation(Semantics.class).value()) {
        byRule
            .computeIfAbsent(id, _ -> new ArrayList<>())
            .add("`" + name(test) + "`" + where(test));
      }
    }
    return byRule;
  }

  private static String where(Method test) {
    return !runs(test, Mode.PROCESSES)
        ? " (embedded)"
        : runs(test, Mode.EMBEDDED) ? "" : " (processes)";
  }

  private static String name(Method test) {
    return test.getDeclaringClass().getSimpleName() + "." + test.getName();
  }

  private static List<Method> tests()
      throws IOException, URISyntaxException, ReflectiveOperationException {
    Path folder = Path.of(ConformanceDocumentTest.class.getResource(".").toURI());
    List<Method> tests = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith("Test.class") && !name.contains("$")) {
          tests.addAll(testsOf(name.substring(0, name.length() - ".class".length())));
        }
      }
    }
    return tests;
  }

  private static List<Method> testsOf(String simpleName) throws ClassNotFoundException {
    Class<?> type = Class.forName(Contract.class.getPackageName() + "." + simpleName);
    return Arrays.stream(type.getDeclaredMethods())
        .filter(ConformanceDocumentTest::isTest)
        .filter(_ -> type != ConformanceDocumentTest.class)
        .sorted(Comparator.comparing(Method::getName))
        .toList();
  }

  private static boolean isTest(Method method) {
    return method.isAnnotationPresent(Test.class)
        || method.isAnnotationPresent(ParameterizedTest.class);
  }

  private static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("mvnw"))) {
      folder = folder.getParent();
    }
    return folder;
  }
}
