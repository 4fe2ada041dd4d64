package io.aktis.store;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/** What tests write into objects and find again: every byte. */
final class Contents {
  private Contents() {}

  /** Fails unless every byte is {@code content}. */
  static void check(MemorySegment segment, int content) {
    byte expected = (byte) content;
    long word = (expected & 0xFFL) * 0x0101010101010101L;
    long at = 0;
    for (; at + 8 <= segment.byteSize(); at += 8) {
      if (segment.get(JAVA_LONG_UNALIGNED, at) != word) {
        throw new AssertionError("not " + expected + " somewhere in the word at " + at);
      }
    }
    for (; at < segment.byteSize(); at++) {
      if (segment.get(JAVA_BYTE, at) != expected) {
        throw new AssertionError("not " + expected + " at " + at);
      }
    }
  }
}
