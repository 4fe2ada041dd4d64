package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells whether the instances of one class may be handed to everybody without a copy: for all of
 * them at once, or by looking at what an instance holds.
 *
 * <p>Immutable and thread-safe; one is kept with each class, see {@link SharingRules}.
 */
abstract class SharingRule {
  /** Every instance may be shared. */
  static final SharingRule ALWAYS =
      new SharingRule(true, false) {
        @Override
        boolean allows(Object value, SharingCheck check) {
          return true;
        }
      };

  /** No instance may be shared, or nothing is known. */
  static final SharingRule NEVER =
      new SharingRule(false, true) {
        @Override
        boolean allows(Object value, SharingCheck check) {
          return false;
        }
      };

  static final SharingRule OPTIONAL =
      new SharingRule() {
        @Override
        boolean allows(Object value, SharingCheck check) {
          return check.allows(((Optional<?>) value).orElse(null));
        }
      };

  static final SharingRule LIST =
      new SharingRule() {
        @Override
        boolean allows(Object value, SharingCheck check) {
          List<?> list = (List<?>) value;
          for (int i = 0, size = list.size(); i < size; i++) {
            if (!check.allows(list.get(i))) {
              return false;
            }
          }
          return true;
        }
      };

  static final SharingRule COLLECTION =
      new SharingRule() {
        @Override
        boolean allows(Object value, SharingCheck check) {
          for (Object element : (Collection<?>) value) {
            if (!check.allows(element)) {
              return false;
            }
          }
          return true;
        }
      };

  static final SharingRule MAP =
      new SharingRule() {
        @Override
        boolean allows(Object value, SharingCheck check) {
          for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
            if (!check.allows(entry.getKey()) || !check.allows(entry.getValue())) {
              return false;
            }
          }
          return true;
        }
      };

  static final SharingRule ENTRY =
      new SharingRule() {
        @Override
        boolean allows(Object value, SharingCheck check) {
          Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
          return check.allows(entry.getKey()) && check.allows(entry.getValue());
        }
      };

  static final SharingRule PATH =
      new SharingRule() {
        @Override
        @SuppressWarnings("ReferenceEquality") // the default file system is one object
        boolean allows(Object value, SharingCheck check) {
          return ((Path) value).getFileSystem() == FileSystems.getDefault();
        }
      };

  static final SharingRule SEGMENT =
      new SharingRule() {
        @Override
        boolean allows(Object value, SharingCheck check) {
          MemorySegment segment = (MemorySegment) value;
          return segment.isReadOnly() && check.isSealed(segment);
        }
      };

  /** Whether {@link #allows} is true, or false, for every instance. */
  final boolean always;

  final boolean never;

  /** Makes a rule that looks at each instance. */
  SharingRule() {
    this(false, false);
  }

  private SharingRule(boolean always, boolean never) {
    this.always = always;
    this.never = never;
  }

  abstract boolean allows(Object value, SharingCheck check);
}
