package io.aktis.core.lease;

import io.aktis.core.resource.Resources;

/**
 * A whole GPU, or a part of one.
 *
 * @param device the name that the node gave the device
 * @param units the part, in fixed-point units; {@link Resources#UNITS_PER_ONE} is all of it
 */
public record GpuShare(String device, long units) {}
