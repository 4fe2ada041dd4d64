package io.aktis.spi;

import io.aktis.CallOptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a parallel map runs.
 *
 * @param options options of each batch
 * @param batchSize items a batch; 0 lets the engine choose by measuring
 * @param progressLabel label of the progress bar, {@code null} for none
 */
public record MapPlan(CallOptions options, int batchSize, @Nullable String progressLabel) {
  /** Checks the options. */
  public MapPlan {
    Objects.requireNonNull(options, "the options must not be null");
  }
}
