package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Estimates where the bytes of a value are, for messages about values that are too large. */
final class SizeExplainer {
  private static final int OBJECT_BYTES = 8;
  private static final int HANDLE_BYTES = 20;

  private SizeExplainer() {}

  /** Follows the heaviest part down as long as it has at least half of what it is a part of. */
  static SizeReport explain(Object value, Predicate<Class<?>> handle) {
    List<GraphWalk.Node> nodes = new GraphWalk(handle).all(value);
    Map<GraphWalk.Node, GraphWalk.Node> heaviestChild = new HashMap<>();
    for (int i = nodes.size() - 1; i >= 0; i--) {
      GraphWalk.Node node = nodes.get(i);
      node.bytes += ownBytes(node.value, handle);
      GraphWalk.Node parent = node.parent;
      if (parent != null) {
        parent.bytes += node.bytes;
        heaviestChild.merge(parent, node, (a, b) -> a.bytes >= b.bytes ? a : b);
      }
    }
    GraphWalk.Node at = nodes.getFirst();
    long total = at.bytes;
    GraphWalk.Node next = heaviestChild.get(at);
    while (next != null && next.bytes * 2 >= at.bytes) {
      at = next;
      next = heaviestChild.get(at);
    }
    return new SizeReport(total, GraphWalk.path(at), GraphWalk.typeName(at.value), at.bytes);
  }

  private static long ownBytes(Object value, Predicate<Class<?>> handle) {
    if (handle.test(value.getClass())) {
      return HANDLE_BYTES;
    }
    ArrayKind kind = ArrayKind.of(value.getClass());
    if (kind != null) {
      return kind.sizeBytes(value);
    }
    if (Tables.isArrow(value.getClass())) {
      return Tables.pieces(value).sizeBytes();
    }
    return switch (value) {
      case String text -> text.length();
      case ByteBuffer buffer -> buffer.remaining();
      case MemorySegment memory -> memory.byteSize();
      default -> OBJECT_BYTES;
    };
  }
}
