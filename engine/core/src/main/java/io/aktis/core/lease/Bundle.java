package io.aktis.core.lease;

import io.aktis.core.resource.Resources;

/**
 * A part of a placement group that lies on one node.
 *
 * @param index its place in the group, from 0
 * @param resources what is set aside
 */
public record Bundle(int index, Resources resources) {
  /** Checks that the bundle is one. */
  public Bundle {
    if (index < 0) {
      throw new IllegalArgumentException("the index of a bundle is " + index);
    }
    if (resources.isZero()) {
      throw new IllegalArgumentException("bundle " + index + " is empty");
    }
  }
}
