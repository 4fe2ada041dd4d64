package io.aktis.wire.value;

import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Walks through what would be encoded of a value, breadth first, to find the shortest way to
 * something. Used when an encoding has failed or is too large; too slow for anything else.
 *
 * <p>Where the JDK or a closed module lets nobody look, the walk ends.
 *
 * <p>Confined to the thread that walks.
 */
final class GraphWalk {
  static final String CAPTURED_THIS = "capturing this";
  private static final int MAX_NODES = 2_000_000;
  private static final int SHOWN_STEPS = 8;

  /** One object, and how it was reached. */
  static final class Node {
    final Object value;
    final @Nullable Node parent;
    final String step;
    long bytes;

    Node(Object value, @Nullable Node parent, String step) {
      this.value = value;
      this.parent = parent;
      this.step = step;
    }
  }

  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
          return fieldsOf(type);
        }
      };

  private final Predicate<Class<?>> leaf;
  private final Set<Object> seen = java.util.Collections.newSetFromMap(new IdentityHashMap<>());
  private final ArrayList<Node> nodes = new ArrayList<>();

  /**
   * Makes a walk.
   *
   * @param leaf classes that are not looked into
   */
  GraphWalk(Predicate<Class<?>> leaf) {
    this.leaf = leaf;
  }

  /** Returns the nearest object for which {@code wanted} holds, null if none is found. */
  @Nullable Node find(Object root, Predicate<Object> wanted) {
    add(root, null, "");
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get(i);
      if (wanted.test(node.value)) {
        return node;
      }
      addChildren(node);
    }
    return null;
  }

  /** Returns all objects, parents before children. */
  List<Node> all(Object root) {
    find(root, value -> false);
    return nodes;
  }

  /** Returns the way to an object as text; the middle of a long one is left out. */
  static String path(Node node) {
    ArrayDeque<String> steps = new ArrayDeque<>();
    Node at = node;
    while (at.parent != null) {
      steps.addFirst(at.step + " (" + typeName(at.value) + ")");
      at = at.parent;
    }
    StringBuilder path = new StringBuilder(typeName(at.value));
    int count = steps.size();
    int position = 0;
    for (String step : steps) {
      boolean shown = position < SHOWN_STEPS || position >= count - SHOWN_STEPS;
      if (shown) {
        path.append(" ▸ ").append(step);
      } else if (position == SHOWN_STEPS) {
        path.append(" ▸ … ").append(count - 2 * SHOWN_STEPS).append(" steps …");
      }
      position++;
    }
    return path.toString();
  }

  /** Returns whether a lambda takes the object along in whose method it was written. */
  static boolean capturesThis(Node node) {
    for (Node at = node; at != null; at = at.parent) {
      if (at.step.equals(CAPTURED_THIS)) {
        return true;
      }
    }
    return false;
  }

  private void add(@Nullable Object value, @Nullable Node parent, String step) {
    if (value == null || nodes.size() >= MAX_NODES || !seen.add(value)) {
      return;
    }
    nodes.add(new Node(value, parent, step));
  }

  private void addChildren(Node node) {
    Class<?> type = node.value.getClass();
    if (leaf.test(type) || Jdk.isEnum(type) || ArrayKind.of(type) != null || Tables.isArrow(type)) {
      return;
    }
    try {
      if (Jdk.isLambda(type)) {
        addCaptured(node);
      } else if (node.value instanceof Object[] array) {
        for (int i = 0; i < array.length; i++) {
          add(array[i], node, "[" + i + "]");
        }
      } else if (!addReplacement(node)) {
        addContents(node);
        addComparator(node);
        addFields(node);
      }
    } catch (RuntimeException | ReflectiveOperationException e) {
      // A collection that changes, or a method of the user's that throws: what is known must do.
      return;
    }
  }

  private void addContents(Node node) {
    switch (node.value) {
      case Map<?, ?> map ->
          map.forEach((key, value) -> {
            add(key, node, "key");
            add(value, node, "value of " + brief(key));
          });
      case Collection<?> collection -> {
        int i = 0;
        for (Object element : collection) {
          add(element, node, "[" + i++ + "]");
        }
      }
      case Map.Entry<?, ?> entry -> {
        add(entry.getKey(), node, "key");
        add(entry.getValue(), node, "value");
      }
      case Optional<?> optional -> add(optional.orElse(null), node, "value");
      case AtomicReference<?> reference -> add(reference.get(), node, "value");
      case Throwable throwable -> {
        add(throwable.getCause(), node, "cause");
        for (Throwable suppressed : throwable.getSuppressed()) {
          add(suppressed, node, "suppressed");
        }
      }
      default -> {}
    }
  }

  private void addComparator(Node node) {
    Object comparator =
        switch (node.value) {
          case SortedMap<?, ?> map -> map.comparator();
          case SortedSet<?> set -> set.comparator();
          case PriorityQueue<?> queue -> queue.comparator();
          default -> null;
        };
    add(comparator, node, "comparator");
  }

  private void addFields(Node node) throws IllegalAccessException {
    for (Field field : FIELDS.get(node.value.getClass())) {
      add(field.get(node.value), node, "field " + field.getName());
    }
  }

  /** Follows {@code writeReplace}: what it returns is encoded instead of the object. */
  @SuppressWarnings("ReferenceEquality") // an object may replace itself by itself
  private boolean addReplacement(Node node) throws ReflectiveOperationException {
    for (Class<?> at = node.value.getClass();
        at != null && !Jdk.owns(at);
        at = at.getSuperclass()) {
      for (Method method : at.getDeclaredMethods()) {
        if (method.getName().equals("writeReplace")
            && method.getParameterCount() == 0
            && method.trySetAccessible()) {
          Object replacement = method.invoke(node.value);
          add(replacement, node, "writeReplace");
          return replacement != node.value;
        }
      }
    }
    return false;
  }

  private void addCaptured(Node node) throws ReflectiveOperationException {
    SerializedLambda lambda = serialized(node.value);
    if (lambda == null) {
      addCapturedFields(node);
      return;
    }
    boolean bound = lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic;
    for (int i = 0; i < lambda.getCapturedArgCount(); i++) {
      String step = "capturing argument " + i;
      if (bound && i == 0) {
        step = isBody(lambda) ? CAPTURED_THIS : "bound to";
      }
      add(lambda.getCapturedArg(i), node, step);
    }
  }

  private void addCapturedFields(Node node) throws IllegalAccessException {
    String host = Jdk.lambdaHost(node.value.getClass());
    int i = 0;
    for (Field field : FIELDS.get(node.value.getClass())) {
      boolean self = i == 0 && field.getType().getName().equals(host);
      add(field.get(node.value), node, self ? CAPTURED_THIS : "capturing argument " + i);
      i++;
    }
  }

  /** Returns the fields of the user's classes that are encoded and that may be looked at. */
  private static List<Field> fieldsOf(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> at = type; at != null && !Jdk.owns(at); at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        int skipped = Modifier.STATIC | Modifier.TRANSIENT;
        boolean primitive = field.getType().isPrimitive();
        if ((field.getModifiers() & skipped) == 0 && !primitive && field.trySetAccessible()) {
          fields.add(field);
        }
      }
    }
    return List.copyOf(fields);
  }

  /** Returns the name of the class of an object; for a lambda, where it was written. */
  static String typeName(Object value) {
    Class<?> type = value.getClass();
    if (!Jdk.isLambda(type)) {
      return type.getTypeName();
    }
    try {
      SerializedLambda lambda = serialized(value);
      return lambda == null ? "lambda in " + Jdk.lambdaHost(type) : lambdaName(lambda);
    } catch (ReflectiveOperationException e) {
      return "lambda in " + Jdk.lambdaHost(type);
    }
  }

  private static String lambdaName(SerializedLambda lambda) {
    String owner = lambda.getImplClass().replace('/', '.');
    String method = lambda.getImplMethodName();
    if (!isBody(lambda)) {
      return "method reference " + owner + "::" + method.replace("<init>", "new");
    }
    String written = method.substring("lambda$".length());
    int end = written.indexOf('$');
    return "lambda in " + owner + "." + (end < 0 ? written : written.substring(0, end));
  }

  private static boolean isBody(SerializedLambda lambda) {
    return lambda.getImplMethodName().startsWith("lambda$");
  }

  private static @Nullable SerializedLambda serialized(Object lambda)
      throws ReflectiveOperationException {
    if (!(lambda instanceof java.io.Serializable)) {
      return null;
    }
    Method method = lambda.getClass().getDeclaredMethod("writeReplace");
    if (!method.trySetAccessible()) {
      return null;
    }
    return method.invoke(lambda) instanceof SerializedLambda serialized ? serialized : null;
  }

  private static String brief(@Nullable Object key) {
    if (key instanceof String text) {
      return text.length() > 40 ? "\"" + text.substring(0, 40) + "…\"" : "\"" + text + "\"";
    }
    return key instanceof Number || key instanceof Enum || key == null
        ? String.valueOf(key)
        : "a " + key.getClass().getTypeName();
  }
}
