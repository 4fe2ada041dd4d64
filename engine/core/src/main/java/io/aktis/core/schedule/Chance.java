package io.aktis.core.schedule;

import io.aktis.core.id.NodeId;

/** Chance without a random source: numbers that look random and follow from a seed. */
final class Chance {
  private Chance() {}

  /** Returns a number from 0 to {@code bound}, exclusive. */
  static int below(int bound, long seed) {
    return (int) Long.remainderUnsigned(mix(seed), bound);
  }

  /** Returns a number that puts nodes in an order which differs from seed to seed. */
  static long of(long seed, NodeId node) {
    return mix(seed ^ mix(node.owner() ^ mix(node.number())));
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
  private static long mix(long value) {
    long mixed = value + 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
