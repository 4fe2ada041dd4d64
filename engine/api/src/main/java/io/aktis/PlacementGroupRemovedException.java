package io.aktis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The placement group was removed before or while the work ran in it. */
public final class PlacementGroupRemovedException extends AktisException {
  private static final long serialVersionUID = 1L;

  /** Makes the failure; called by engines. */
  public PlacementGroupRemovedException(
      String message, @Nullable Throwable cause, List<String> story) {
    super(message, cause, story);
  }

  /** Makes the failure without cause and story; called by engines. */
  public PlacementGroupRemovedException(String message) {
    this(message, null, List.of());
  }
}
