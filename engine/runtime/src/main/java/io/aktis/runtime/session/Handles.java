package io.aktis.runtime.session;

import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.wire.value.HandleHooks;
import io.aktis.wire.value.HandleId;
import java.util.List;
import java.util.Map;

/**
 * References, actor handles and groups inside values: they are counted, not copied. Within one
 * process a token is the thing itself. Thread-safe.
 */
final class Handles implements HandleHooks {
  static final byte OBJECT = 1;
  static final byte ACTOR = 2;
  static final byte GROUP = 3;

  private final Kernel kernel;

  Handles(Kernel kernel) {
    this.kernel = kernel;
  }

  @Override
  public Map<String, Class<?>> types() {
    return Map.of("ref", Ref.class, "actor", Handle.class, "group", Group.class);
  }

  @Override
  public HandleId id(Object handle) {
    return switch (handle) {
      case Ref<?> ref -> {
        ObjectId id = ref.checked(kernel).object().id();
        yield new HandleId(OBJECT, id.owner(), id.bits());
      }
      case Handle<?> actor -> {
        actor.check(kernel);
        yield new HandleId(ACTOR, actor.actor().id().owner(), actor.actor().id().number());
      }
      case Group group -> new HandleId(GROUP, group.groupId().owner(), group.groupId().number());
      default -> throw new IllegalArgumentException("not a handle: " + handle.getClass());
    };
  }

  @Override
  public Object export(Object handle) {
    return switch (handle) {
      case Ref<?> ref -> ref.cell();
      case Handle<?> actor -> actor.share();
      default -> handle;
    };
  }

  @Override
  public Object restore(Object token) {
    return switch (token) {
      case Cell cell -> {
        kernel.post(new OwnerEvent.Retained(List.of(cell.object())));
        yield RunScope.borrowed(new Ref<>(kernel, cell));
      }
      case Handle<?> actor -> RunScope.borrowed(actor.share());
      case HandleId id -> kernel.handle(id);
      default -> token;
    };
  }

  @Override
  public Object resolve(HandleId id) {
    return kernel.handle(id);
  }
}
