package io.aktis.runtime.session;

import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import org.jspecify.annotations.Nullable;

/** The object stores that a session uses. Thread-safe. */
interface Stores {
  /** Returns where values are stored that a run makes, {@code null} for the program itself. */
  Place place(@Nullable Run run);

  /** Returns the store through which an object at that location can be read. */
  StorePort storeFor(Location at);

  void close();
}
