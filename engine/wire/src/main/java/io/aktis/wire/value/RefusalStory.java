package io.aktis.wire.value;

import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds out why a value could not be encoded, and where in it the cause is. */
final class RefusalStory {
  private static final String TAKES_THIS_ALONG =
      "the lambda uses a field or method of its object and so takes the whole object along: copy"
          + " what it needs into a local variable first";
  private static final int MAX_CAUSES = 100;

  private final Supplier<ForyUnit> units;
  private final Predicate<Class<?>> handle;

  /**
   * Makes one.
   *
   * @param units gives units to try classes on; they are not given back
   * @param handle which classes are handles
   */
  RefusalStory(Supplier<ForyUnit> units, Predicate<Class<?>> handle) {
    this.units = units;
    this.handle = handle;
  }

  @SuppressWarnings("ReferenceEquality") // the very object is looked for, not an equal one
  ValueNotSerializableException of(Object root, Throwable failure) {
    Refusal refusal = Refusal.in(failure);
    if (refusal != null) {
      Object culprit = refusal.culprit();
      GraphWalk.Node node = new GraphWalk(handle).find(root, value -> value == culprit);
      return tell(root, node, culprit.getClass(), refusal.reason(), refusal.advice(), null);
    }
    Throwable cause = rootCause(failure);
    if (cause instanceof StackOverflowError) {
      String advice = "hold the objects in a list or an array instead of chaining them";
      return tell(root, null, root.getClass(), "the value is nested too deeply", advice, null);
    }
    return ofUnknown(root, cause, failure);
  }

  private ValueNotSerializableException ofUnknown(Object root, Throwable cause, Throwable failure) {
    ForyUnit unit = units.get();
    GraphWalk.Node node = new GraphWalk(handle).find(root, value -> !unit.knows(value.getClass()));
    Class<?> culprit = node == null ? root.getClass() : node.value.getClass();
    String reason = "a " + culprit.getTypeName() + " cannot be encoded: " + cause;
    return tell(root, node, culprit, reason, "", failure);
  }

  private static ValueNotSerializableException tell(
      Object root,
      GraphWalk.@Nullable Node node,
      Class<?> culprit,
      String reason,
      String advice,
      @Nullable Throwable cause) {
    String path = node == null ? GraphWalk.typeName(root) : GraphWalk.path(node);
    String help = node != null && GraphWalk.capturesThis(node) ? TAKES_THIS_ALONG : advice;
    return new ValueNotSerializableException(reason, path, culprit.getTypeName(), help, cause);
  }

  @SuppressWarnings("ReferenceEquality") // some exceptions name themselves as their cause
  static Throwable rootCause(Throwable failure) {
    Throwable at = failure;
    for (int i = 0; i < MAX_CAUSES && at.getCause() != null && at.getCause() != at; i++) {
      at = at.getCause();
    }
    return at;
  }
}
