package io.aktis.core.owner;

import io.aktis.core.id.BundleId;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** The latest removed groups and lost bundles, and why nothing runs in them. */
final class GoneBundles {
  /** How many are remembered; the shell refuses work in those that it knows. */
  private static final int LIMIT = 10_000;

  private final LinkedHashMap<BundleId, Outcome.Failure> failures = new LinkedHashMap<>();

  void add(BundleId gone, Outcome.Failure failure) {
    failures.put(gone, failure);
    if (failures.size() > LIMIT) {
      failures.pollFirstEntry();
    }
  }

  /** Returns why nothing runs in a bundle any more, {@code null} when something may. */
  Outcome.@Nullable Failure failureOf(@Nullable BundleId bundle) {
    if (bundle == null) {
      return null;
    }
    Outcome.Failure ofAll = failures.get(BundleId.any(bundle.group()));
    return ofAll != null ? ofAll : failures.get(bundle);
  }

  /** Tells whether {@code bundle} is gone with {@code gone}. */
  static boolean isIn(@Nullable BundleId bundle, BundleId gone) {
    return bundle != null
        && (gone.equals(bundle) || gone.isAny() && bundle.group().equals(gone.group()));
  }
}
