package io.aktis.runtime.embedded;

import io.aktis.core.id.ObjectId;
import java.util.List;

/**
 * A value that lies sealed in the store of a virtual node.
 *
 * @param node the node
 * @param id its id there
 * @param tokens what the references inside it stand for
 */
record StoredValue(VirtualNode node, ObjectId id, List<Object> tokens) {}
