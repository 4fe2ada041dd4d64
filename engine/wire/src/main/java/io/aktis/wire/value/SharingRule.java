package io.aktis.wire.value;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystems;
import java.nio.file.Path;

/**
 * Tells whether the instances of one class may be handed to everybody without a copy: for all of
 * them at once, or by looking at what an instance holds.
 *
 * <p>Immutable and thread-safe; one is kept with each class, see {@link SharingRules}.
 */
abstract class SharingRule {
  /** Every instance may be shared. */
  static final SharingRule ALWAYS =
      new SharingRule() {
        @Override
        boolean allows(Object value, SharingCheck check) {
          return true;
        }
      };

  /** No instance may be shared, or nothing is known. */
  static final SharingRule NEVER =
      new SharingRule() {
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

  abstract boolean allows(Object value, SharingCheck check);
}
