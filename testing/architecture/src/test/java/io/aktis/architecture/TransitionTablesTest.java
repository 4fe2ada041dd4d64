package io.aktis.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.actor.ActorMachine;
import io.aktis.core.head.HeadState;
import io.aktis.core.job.JobState;
import io.aktis.core.link.LinkState;
import io.aktis.core.machine.TransitionTable;
import io.aktis.core.placement.PlacementState;
import io.aktis.core.task.TaskMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The page of transition tables is written from the machines; {@code -Daktis.docs.write=true}
 * writes it anew.
 */
final class TransitionTablesTest {
  private static final Path PAGE = Path.of("../../docs/internals/transition-tables.md");

  @Test
  void page_ofTransitionTables_isWrittenFromTheMachines() throws IOException {
    String written = page();
    if (Boolean.getBoolean("aktis.docs.write")) {
      Files.writeString(PAGE, written);
    }

    assertThat(Files.readString(PAGE)).isEqualTo(written);
  }

  private static String page() {
    Map<String, TransitionTable<?, ?>> tables = new LinkedHashMap<>();
    tables.put("A task, as its owner sees it", TaskMachine.TABLE);
    tables.put("An actor", ActorMachine.TABLE);
    tables.put("A placement group", PlacementState.TABLE);
    tables.put("One end of a link", LinkState.TABLE);
    tables.put("A submitted job", JobState.TABLE);
    tables.put("A node that can be the head", HeadState.TABLE);
    StringBuilder page = new StringBuilder("# Transition tables\n\n");
    page.append("Written from the machines by `TransitionTablesTest`. \"—\" is a pair that never");
    page.append(" happens: meeting it is a bug and stops the engine.\n");
    tables.forEach((title, table) ->
        page.append("\n## ")
            .append(title)
            .append("\n\n")
            .append(table.toMarkdown())
            .append("\n```mermaid\n")
            .append(table.toMermaid())
            .append("```\n"));
    return page.toString();
  }
}
