package io.aktis.runtime.session;

import io.aktis.wire.message.OwnerHello;
import io.aktis.wire.message.WorkerToOwner;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * What a worker's session is put together from.
 *
 * @param hello what the owner says of the job
 * @param place the node of the worker with its store
 * @param labels the labels of the node
 * @param workerId id of the process
 * @param loader finds the classes of the job
 * @param toOwner sends messages to the owner, in order
 * @param journal notes the number of each attempt before it starts, where it outlives the process
 */
record WorkerParts(
    OwnerHello hello,
    Place place,
    SortedMap<String, String> labels,
    String workerId,
    ClassLoader loader,
    Consumer<WorkerToOwner> toOwner,
    LongConsumer journal) {}
