package io.aktis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.Aktis;
import io.aktis.runtime.session.EmbeddedInspector;
import io.aktis.testkit.AktisCluster;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The Java blocks of the concept pages compile. Each page becomes one class: a block that starts
 * with a declaration becomes members of it, any other a method. What a page needs and does not show
 * stands in a comment that starts with the line {@code <!-- java}.
 */
final class SnippetsTest {
  private static final Path PAGES = Path.of("../../docs/concepts");
  private static final Pattern DECLARATION =
      Pattern.compile("(static|final|abstract|sealed|class|record|enum|interface|@).*");
  private static final String IMPORTS =
      """
      import module java.base;
      import io.aktis.*;
      import io.aktis.coordination.*;
      import io.aktis.runtime.session.EmbeddedInspector;
      import io.aktis.testkit.AktisCluster;
      import io.aktis.testkit.Gate;
      import io.aktis.testkit.TestCluster;
      import org.apache.arrow.memory.BufferAllocator;
      import org.apache.arrow.memory.RootAllocator;
      import org.apache.arrow.vector.BigIntVector;
      import org.apache.arrow.vector.VectorSchemaRoot;
      import org.junit.jupiter.api.Test;
      """;

  @Test
  void conceptPages_theirJavaBlocks_compile() throws IOException, URISyntaxException {
    List<JavaFileObject> sources = new ArrayList<>();
    try (Stream<Path> pages = Files.list(PAGES)) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
        sources.add(new Source(page.getFileName().toString(), Files.readAllLines(page)));
      }
    }
    StringWriter errors = new StringWriter();
    Path classes = Files.createTempDirectory(Path.of("target"), "snippets");
    List<String> options =
        List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", classPath());

    boolean compiled =
        ToolProvider.getSystemJavaCompiler()
            .getTask(errors, null, null, options, null, sources)
            .call();

    assertThat(compiled).as(errors.toString()).isTrue();
  }

  /** Returns where the classes are that the pages use. */
  private static String classPath() throws URISyntaxException {
    List<String> places = new ArrayList<>();
    for (Class<?> type :
        List.of(
            Aktis.class,
            EmbeddedInspector.class,
            NullMarked.class,
            AktisCluster.class,
            BufferAllocator.class,
            VectorSchemaRoot.class,
            Test.class)) {
      URI place = type.getProtectionDomain().getCodeSource().getLocation().toURI();
      places.add(Path.of(place).toString());
    }
    return String.join(File.pathSeparator, places);
  }

  /** A page as a class. */
  private static final class Source extends SimpleJavaFileObject {
    private final StringBuilder members = new StringBuilder();
    private final String name;

    Source(String page, List<String> lines) {
      super(URI.create("string:///" + nameOf(page) + ".java"), Kind.SOURCE);
      this.name = nameOf(page);
      blocks(lines).forEach(this::add);
    }

    private static String nameOf(String page) {
      return page.replaceAll("\\W", "_");
    }

    /** Returns the lines of each Java block, those in comments too. */
    private static List<List<String>> blocks(List<String> page) {
      List<List<String>> blocks = new ArrayList<>();
      String end = "";
      for (String line : page) {
        if (end.isEmpty() && (line.equals("```java") || line.equals("<!-- java"))) {
          end = line.equals("```java") ? "```" : "-->";
          blocks.add(new ArrayList<>());
        } else if (line.equals(end)) {
          end = "";
        } else if (!end.isEmpty()) {
          blocks.getLast().add(line);
        }
      }
      return blocks;
    }

    private void add(List<String> block) {
      String text = String.join("\n", block);
      if (DECLARATION.matcher(block.getFirst()).matches()) {
        members.append(text.replaceAll("(?m)^(?=(final |abstract )?class )", "static "));
      } else {
        String method = "static void block" + members.length();
        members.append(method).append("() throws Exception {\n").append(text).append("\n}");
      }
      members.append('\n');
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return IMPORTS + "class " + name + " {\n" + members + "}\n";
    }
  }
}
