package io.aktis.cluster.node;

import io.aktis.cluster.control.ControlStore;
import java.nio.file.Path;

/**
 * What a node has that can be the head of its cluster.
 *
 * @param store where heads write down what the next one has to know; closed by who opened it, after
 *     the daemon
 * @param founded the epoch that this node has begun before it was a member, since it found nobody
 *     of the cluster alive; 0 when it found some
 * @param jobsDir where jobs have their directories and logs
 * @param keepsJobs whether these stay when the daemon ends
 */
public record HeadParts(ControlStore store, long founded, Path jobsDir, boolean keepsJobs) {}
