package io.aktis.spi;

import java.util.List;

/**
 * Says which accelerators a node has. The embedded engine uses a fake one that counts from 0, so
 * that programs for GPUs can be rehearsed anywhere.
 */
@FunctionalInterface
public interface DeviceProvider {
  /**
   * Returns the ids of the devices of a node that was asked to offer {@code count}.
   *
   * @param count the number of devices asked for
   * @return exactly {@code count} ids without duplicates, as {@code AktisContext.gpuIds} shows them
   */
  List<String> deviceIds(int count);
}
