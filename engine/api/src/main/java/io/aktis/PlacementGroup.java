package io.aktis;

import java.util.List;

/**
 * A reservation of bundles, made as a whole or not at all. Work runs in it with {@code in(group,
 * bundle)}. It ends when it is removed or its job ends, unless it is detached.
 *
 * <p>Thread-safe; may be passed to tasks. Implemented by the engine only.
 */
public interface PlacementGroup extends AutoCloseable {
  /**
   * Returns a reference that is ready when all bundles are reserved; failed with {@link
   * InfeasibleException} or {@link PlacementGroupRemovedException} if they never will be.
   */
  ObjectRef<Void> ready();

  /** Returns the bundles in order. */
  List<Bundle> bundles();

  /** Returns the strategy. */
  PlacementStrategy strategy();

  /** Returns the ids of the nodes of the bundles in order; empty until it is ready. */
  List<String> nodeIds();

  /** Returns the id as text. */
  String id();

  /** Returns the name, empty if it has none. */
  String name();

  /**
   * Gives the reservation back and ends what runs inside; wins over a creation in flight. Waits
   * until the resources are free. Idempotent.
   */
  void remove();

  /** The same as {@link #remove}. */
  @Override
  default void close() {
    remove();
  }
}
