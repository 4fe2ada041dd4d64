package io.aktis.runtime.session;

import com.google.protobuf.ByteString;
import io.aktis.CallOptions;
import io.aktis.Scheduling;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What options mean in a worker: only what code can see of them, for the owner does the rest. Made
 * once for equal options. Thread-safe.
 */
final class WorkerSettings {
  private static final int MAX_ENTRIES = 4096;

  private record Key(Object options, boolean creation) {}

  private final WireOptions wire;
  private final Map<Key, Settings> known = new ConcurrentHashMap<>();

  WorkerSettings(WireOptions wire) {
    this.wire = wire;
  }

  /** Returns the settings of work that has arrived. */
  Settings of(ByteString bytes, boolean creation) {
    Key key = new Key(bytes, creation);
    Settings settings = known.get(key);
    return settings != null ? settings : remember(key, make(wire.options(bytes), creation));
  }

  /** Returns the settings of work that is made here. */
  Settings of(CallOptions options, boolean creation) {
    Key key = new Key(options, creation);
    Settings settings = known.get(key);
    return settings != null ? settings : remember(key, make(options, creation));
  }

  private Settings remember(Key key, Settings settings) {
    if (known.size() >= MAX_ENTRIES) {
      known.clear();
    }
    known.put(key, settings);
    return settings;
  }

  private static Settings make(CallOptions options, boolean creation) {
    Group group = options.scheduling() instanceof Scheduling.InGroup in ? (Group) in.group() : null;
    return new Settings(
        options,
        null,
        SettingsTable.shown(SettingsTable.demand(options, creation).toHold()),
        group);
  }
}
