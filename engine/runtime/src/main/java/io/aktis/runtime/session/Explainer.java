package io.aktis.runtime.session;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.ShownId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Task;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says in words how something of this session is, by the id that people see in logs and messages.
 * Confined to the owner's loop.
 */
final class Explainer {
  private final OwnerKernel kernel;

  Explainer(OwnerKernel kernel) {
    this.kernel = kernel;
  }

  /**
   * Says why something is not done.
   *
   * @return a line each; empty when there is no such thing, or it is done
   */
  List<String> why(String id) {
    ShownId shown = ShownId.parse(id);
    if (shown == null) {
      return List.of();
    }
    long owner = kernel.ownerNumber();
    return switch (shown.kind()) {
      case ACTOR -> why(kernel.directory().known(new ActorId(owner, shown.number())));
      case GROUP -> kernel.groups().why(new GroupId(owner, shown.number()));
      case TASK, OBJECT -> kernel.owner().explain(TaskId.of(owner, shown.number()));
    };
  }

  private List<String> why(@Nullable ActorEntry entry) {
    if (entry == null) {
      return List.of();
    }
    Actor actor = entry.actor();
    List<String> lines = new ArrayList<>();
    lines.add(actor.id() + " " + actor.name() + " is " + actor.machine());
    Lease lease = actor.lease();
    if (lease != null) {
      lines.add("  it is on " + lease.node());
    }
    Task creation = entry.creation();
    if (creation != null) {
      kernel.owner().explain(creation.id()).forEach(line -> lines.add("  " + line));
    }
    return lines;
  }
}
