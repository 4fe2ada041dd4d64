package io.aktis.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The contract as {@code semantics.txt} states it: rules by id, in the order of the file. */
record Contract(Map<String, Rule> rules, Map<String, String> sections) {
  /** How the engine is deployed. */
  enum Mode {
    EMBEDDED,
    PROCESSES
  }

  /**
   * One rule.
   *
   * @param id the section's number, the item and the clause, with dots between
   * @param text what the engine promises
   * @param notEmbedded why it does not apply to the embedded engine, empty when it does
   * @param notInProcesses why it does not apply between processes, empty when it does
   */
  record Rule(String id, String text, String notEmbedded, String notInProcesses) {
    boolean applies(Mode mode) {
      return (mode == Mode.EMBEDDED ? notEmbedded : notInProcesses).isEmpty();
    }

    String section() {
      return id.substring(0, id.indexOf('.'));
    }

    String item() {
      return id.substring(id.indexOf('.') + 1);
    }
  }

  static Contract load() {
    Contract contract = new Contract(new LinkedHashMap<>(), new LinkedHashMap<>());
    resource("semantics.txt").lines().forEach(contract::read);
    return contract;
  }

  private void read(String line) {
    if (line.startsWith("= ")) {
      String title = line.substring(2);
      sections.put(title.substring(0, title.indexOf(' ')), title.substring(title.indexOf(' ') + 1));
    } else if (!line.isBlank() && !line.startsWith("#")) {
      String[] parts = line.split("\\|", -1);
      Rule rule = new Rule(parts[0].strip(), parts[1].strip(), reason(parts, 2), reason(parts, 3));
      if (rules.put(rule.id(), rule) != null) {
        throw new IllegalStateException("semantics.txt has " + rule.id() + " twice");
      }
    }
  }

  private static String reason(String[] parts, int index) {
    return index < parts.length ? parts[index].strip() : "";
  }

  private static String resource(String name) {
    try (InputStream in = Contract.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
