package io.aktis.cluster.control;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a {@link ControlStore} that are made together, in their order. Confined to one thread
 * until it is handed over, and not changed after that.
 */
public final class ControlBatch {
  private final List<Change> changes = new ArrayList<>();

  /** Makes one without changes. */
  public ControlBatch() {}

  /**
   * One change.
   *
   * @param table its table
   * @param key its key there
   * @param value the new value; null deletes the key
   */
  record Change(String table, String key, @Nullable ByteString value) {
    Change {
      if (!table.matches("[a-z-]+")) {
        throw new IllegalArgumentException("'" + table + "' is no name of a table");
      }
      if (key.isEmpty()) {
        throw new IllegalArgumentException("a key has at least one character");
      }
    }
  }

  /**
   * Adds a key, or changes its value.
   *
   * @param table of lower-case letters
   * @param key not empty
   */
  public ControlBatch put(String table, String key, ByteString value) {
    changes.add(new Change(table, key, value));
    return this;
  }

  /** Adds a key with a message as its value, or changes it. */
  public ControlBatch put(String table, String key, MessageLite value) {
    return put(table, key, value.toByteString());
  }

  /** Deletes a key, if it is there. */
  public ControlBatch delete(String table, String key) {
    changes.add(new Change(table, key, null));
    return this;
  }

  List<Change> changes() {
    return changes;
  }

  /** Tells whether it changes nothing. */
  public boolean isEmpty() {
    return changes.isEmpty();
  }
}
