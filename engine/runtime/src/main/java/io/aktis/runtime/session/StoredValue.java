package io.aktis.runtime.session;

import io.aktis.core.id.ObjectId;
import io.aktis.runtime.port.Location;
import io.aktis.wire.value.HandleId;
import java.util.List;

/**
 * A value that lies sealed in the store of a node.
 *
 * @param at the node
 * @param id its id there
 * @param handles what the references inside it name
 * @param tokens what they stand for in this process, in the same order
 */
record StoredValue(Location at, ObjectId id, List<HandleId> handles, List<Object> tokens) {}
