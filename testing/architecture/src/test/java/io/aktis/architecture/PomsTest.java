package io.aktis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** What every module's pom has to say for itself. */
final class PomsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

  @Test
  void rootPom_forEveryPomBelow_listsItsFolder() throws IOException {
    try (var files = Files.walk(ROOT, 3)) {
      List<String> folders =
          files
              .filter(file -> file.endsWith("pom.xml") && !file.startsWith(ROOT.resolve("target")))
              .map(file -> ROOT.relativize(file.getParent()).toString())
              .filter(folder -> !folder.isEmpty() && !folder.contains("target"))
              .toList();

      assertThat(modules()).containsExactlyInAnyOrderElementsOf(folders);
    }
  }

  @ParameterizedTest
  @MethodSource("modules")
  void module_inItsPom_describesItselfInOneSentence(String folder) {
    String description = text(pom(folder), "description");

    assertThat(description).endsWith(".").isNotEqualTo(text(pom(""), "description"));
    assertThat(description.indexOf(". ")).as("one sentence").isNegative();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void module_inItsPom_isNamedAfterItsFolder(String folder) {
    String last = folder.substring(folder.lastIndexOf('/') + 1);
    String name = folder.startsWith("benchmarks/") ? "benchmarks-" + last : last;

    assertThat(text(pom(folder), "artifactId")).isEqualTo("aktis-" + name);
  }

  private static List<String> modules() {
    NodeList modules = pom("").getElementsByTagName("module");
    return IntStream.range(0, modules.getLength())
        .mapToObj(index -> modules.item(index).getTextContent().strip())
        .toList();
  }

  private static Element pom(String folder) {
    Path file = ROOT.resolve(folder).resolve("pom.xml");
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(file.toFile())
          .getDocumentElement();
    } catch (IOException | SAXException | ParserConfigurationException e) {
      throw new AssertionError("cannot read " + file, e);
    }
  }

  private static String text(Element pom, String name) {
    for (Node node = pom.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node.getNodeName().equals(name)) {
        return node.getTextContent().strip();
      }
    }
    throw new AssertionError("the pom has no <" + name + ">");
  }
}
