package io.aktis.runtime.session;

import io.aktis.CallOptions;
import io.aktis.core.owner.Shape;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of work in the form the engine uses; made once for equal options. Immutable. */
final class Settings {
  private final CallOptions options;
  private final @Nullable Shape shape;
  private final Map<String, Double> resources;
  private final @Nullable Group group;
  private final Call.Request plain;

  /**
   * Makes settings.
   *
   * @param options the options as they were written
   * @param shape the queue of such work at its owner, {@code null} elsewhere
   * @param resources what the context shows
   * @param group the placement group, {@code null} outside of one
   */
  Settings(
      CallOptions options,
      @Nullable Shape shape,
      Map<String, Double> resources,
      @Nullable Group group) {
    this.options = options;
    this.shape = shape;
    this.resources = resources;
    this.group = group;
    this.plain =
        new Call.Request(
            1, null, null, options.retryOn(), "", false, this, null, List.of(), List.of());
  }

  CallOptions options() {
    return options;
  }

  @Nullable Shape shape() {
    return shape;
  }

  Map<String, Double> resources() {
    return resources;
  }

  @Nullable Group group() {
    return group;
  }

  /** Returns the request of a task with one result and nothing unusual. */
  Call.Request plain() {
    return plain;
  }
}
