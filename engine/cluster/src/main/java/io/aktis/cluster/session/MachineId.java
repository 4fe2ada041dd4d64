package io.aktis.cluster.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Names a machine for the question whether two processes can map each other's memory: they are on
 * the same running kernel. Whether they see the same files is found out by opening them.
 * Thread-safe.
 */
public final class MachineId {
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private static final String OF_THIS_PROCESS = UUID.randomUUID().toString();

  private MachineId() {}

  /** Returns the id of this machine; where there is none, one that nobody else has. */
  public static String current() {
    try {
      return Files.readString(BOOT_ID).strip();
    } catch (IOException notLinux) {
      return OF_THIS_PROCESS;
    }
  }
}
