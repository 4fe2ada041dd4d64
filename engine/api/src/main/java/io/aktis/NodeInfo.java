package io.aktis;

import java.util.Map;

/**
 * One node as it was when the snapshot was taken.
 *
 * @param id id of the node
 * @param alive whether it takes work
 * @param total resources it has: {@code CPU}, {@code GPU}, {@code memory} in bytes, and custom ones
 * @param available resources that are free; what is not named is used up
 * @param labels its labels
 * @param storeCapacityBytes capacity of its object store
 * @param storeUsedBytes bytes of it in use
 */
public record NodeInfo(
    String id,
    boolean alive,
    Map<String, Double> total,
    Map<String, Double> available,
    Map<String, String> labels,
    long storeCapacityBytes,
    long storeUsedBytes) {}
