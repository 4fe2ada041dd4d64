package io.aktis.runtime.session;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.OwnedObject;
import io.aktis.wire.value.HandleId;

/**
 * Finds what workers speak of inside of values, where it is owned. Confined to the owner's loop.
 */
final class OwnerTokens implements Tokens {
  private final OwnerKernel kernel;

  OwnerTokens(OwnerKernel kernel) {
    this.kernel = kernel;
  }

  @Override
  public Object token(HandleId id) {
    return switch (id.kind()) {
      case Handles.OBJECT -> cell(new ObjectId(id.high(), id.low()));
      case Handles.ACTOR -> handle(new ActorId(id.high(), id.low()));
      case Handles.GROUP -> group(new GroupId(id.high(), id.low()));
      default -> throw new IllegalArgumentException("unknown kind of handle " + id);
    };
  }

  private Cell cell(ObjectId id) {
    OwnedObject object = kernel.exports().find(id);
    if (object == null) {
      throw new IllegalStateException("a value names " + id + ", which nobody holds");
    }
    return Shell.cellOf(object);
  }

  private Handle<?> handle(ActorId id) {
    ActorEntry entry = kernel.directory().known(id);
    if (entry == null) {
      throw new IllegalStateException("a value names " + id + ", which nobody holds");
    }
    entry.acquireEvenIfGone();
    return new Handle<>(kernel, entry);
  }

  private Group group(GroupId id) {
    Group group = kernel.groups().known(id);
    if (group == null) {
      throw new IllegalStateException("a value names " + id + ", which nobody knows");
    }
    return group;
  }
}
