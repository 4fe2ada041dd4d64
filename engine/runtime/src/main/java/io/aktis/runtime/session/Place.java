package io.aktis.runtime.session;

import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;

/**
 * Where large values are put.
 *
 * @param at the node
 * @param store its store
 */
record Place(Location at, StorePort store) {}
