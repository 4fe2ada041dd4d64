package io.aktis.runtime.embedded;

import io.aktis.CallOptions;
import io.aktis.core.owner.Shape;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of work in the form the engine uses; made once for equal options.
 *
 * @param options the options as they were written
 * @param shape the queue of such work, {@code null} for calls
 * @param resources what the context shows
 * @param group the placement group, {@code null} outside of one
 */
record Settings(
    CallOptions options,
    @Nullable Shape shape,
    Map<String, Double> resources,
    @Nullable Group group) {
  boolean capturesChildren() {
    return options.scheduling() instanceof io.aktis.Scheduling.InGroup in && in.captureChildren();
  }
}
