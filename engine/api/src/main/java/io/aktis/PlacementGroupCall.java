package io.aktis;

import io.aktis.spi.Engine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A placement group before it is created. Immutable. */
public final class PlacementGroupCall {
  private final Engine engine;
  private final PlacementStrategy strategy;
  private final List<Bundle> bundles;
  private final @Nullable String name;
  private final boolean detached;

  PlacementGroupCall(
      Engine engine,
      PlacementStrategy strategy,
      List<Bundle> bundles,
      @Nullable String name,
      boolean detached) {
    this.engine = engine;
    this.strategy = Checks.notNull(strategy, "the strategy");
    bundles.forEach(bundle -> Checks.notNull(bundle, "a bundle"));
    this.bundles = List.copyOf(bundles);
    Checks.atLeast(bundles.size(), 1, "the number of bundles");
    this.name = name;
    this.detached = detached;
  }

  /** Names the group, so that others find it, in other jobs of its namespace too. */
  public PlacementGroupCall named(String text) {
    return new PlacementGroupCall(
        engine, strategy, bundles, Checks.text(text, "the name"), detached);
  }

  /**
   * Lets the group outlive its job, but not an embedded session. It needs a name, and stays until
   * it is removed.
   */
  public PlacementGroupCall detached() {
    return new PlacementGroupCall(engine, strategy, bundles, name, true);
  }

  /**
   * Starts the reservation and returns at once, on a cluster when the head has said that the name
   * is free; {@link PlacementGroup#ready} tells when it is made.
   *
   * @throws IllegalArgumentException when the name is taken, or a detached group has none
   */
  public PlacementGroup create() {
    if (detached && name == null) {
      throw new IllegalArgumentException(
          "a detached placement group needs a name, or nobody could find it again: add"
              + " named(\"...\")");
    }
    return engine.createGroup(strategy, bundles, name, detached);
  }
}
