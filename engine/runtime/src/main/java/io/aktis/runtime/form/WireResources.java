package io.aktis.runtime.form;

import io.aktis.core.resource.Demand;
import io.aktis.core.resource.GpuRoom;
import io.aktis.core.resource.NodeNumbers;
import io.aktis.core.resource.Resources;
import java.util.TreeMap;

/** Sums of resources as messages carry them, and back. */
public final class WireResources {
  private WireResources() {}

  /** Returns the form in which messages carry it. */
  public static io.aktis.wire.message.Resources of(Resources resources) {
    return io.aktis.wire.message.Resources.newBuilder()
        .setCpuUnits(resources.cpuUnits())
        .setGpuUnits(resources.gpuUnits())
        .setMemoryBytes(resources.memoryBytes())
        .putAllCustomUnits(resources.customUnits())
        .build();
  }

  /** Returns what a message carries. */
  public static Resources resources(io.aktis.wire.message.Resources message) {
    return Resources.ofUnits(
        message.getCpuUnits(),
        message.getGpuUnits(),
        message.getMemoryBytes(),
        new TreeMap<>(message.getCustomUnitsMap()));
  }

  /** Returns the form in which messages carry it. */
  public static io.aktis.wire.message.Demand of(Demand demand) {
    io.aktis.wire.message.Demand.Builder message =
        io.aktis.wire.message.Demand.newBuilder().setToPlace(of(demand.toPlace()));
    if (!demand.toHold().equals(demand.toPlace())) {
      message.setToHold(of(demand.toHold()));
    }
    return message.build();
  }

  /** Returns what a message carries. */
  public static NodeNumbers numbers(io.aktis.wire.message.NodeNumbers message) {
    return new NodeNumbers(
        resources(message.getTotal()),
        resources(message.getAvailable()),
        new GpuRoom(message.getLargestGpuShareUnits(), message.getWholeGpus()),
        message.getVersion());
  }

  /** Returns the form in which messages carry it. */
  public static io.aktis.wire.message.NodeNumbers of(NodeNumbers numbers) {
    return io.aktis.wire.message.NodeNumbers.newBuilder()
        .setTotal(of(numbers.total()))
        .setAvailable(of(numbers.available()))
        .setLargestGpuShareUnits(numbers.gpuRoom().largestShareUnits())
        .setWholeGpus(numbers.gpuRoom().wholeDevices())
        .setVersion(numbers.version())
        .build();
  }

  /** Returns what a message carries. */
  public static Demand demand(io.aktis.wire.message.Demand message) {
    Resources toPlace = resources(message.getToPlace());
    return message.hasToHold()
        ? new Demand(toPlace, resources(message.getToHold()))
        : Demand.of(toPlace);
  }
}
