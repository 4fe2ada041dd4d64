package io.aktis.simulation;

import io.aktis.core.id.ObjectId;
import java.util.List;

/**
 * A value that code made.
 *
 * @param id the object it is the value of
 * @param large whether it lies in the store of the node
 * @param content the value
 * @param contained references of the code that are inside of it
 */
record Made(ObjectId id, boolean large, long content, List<Integer> contained) {}
