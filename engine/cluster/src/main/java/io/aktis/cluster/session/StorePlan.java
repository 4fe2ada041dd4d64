package io.aktis.cluster.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the memory for objects of a node is, and how much. Usually that is shared memory of the
 * system; where that is small or odd, as in many containers, it is a directory of the node, and a
 * note says so. Immutable.
 *
 * @param parent the directory in which that of the store is made
 * @param bytes its capacity
 * @param note what its user should know, in a line; empty for nothing
 */
record StorePlan(Path parent, long bytes, String note) {
  static final long LEAST_BYTES = 64L << 20;

  /** Shared memory that cannot hold so much is not worth it. */
  private static final long SMALL_BYTES = 256L << 20;

  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

  /**
   * A directory where a store could be.
   *
   * @param problem why it cannot; empty when it can
   * @param roomBytes how much is free there
   */
  record Place(Path path, String problem, long roomBytes) {
    /** Looks at a directory that is to be in memory. */
    static Place ofSharedMemory(Path path) {
      String problem = NodePlan.problemOf(path);
      if (!problem.isEmpty()) {
        return new Place(path, problem, 0);
      }
      try {
        String type = Files.getFileStore(path).type();
        return new Place(
            path, IN_MEMORY.contains(type) ? "" : "is not in memory but on " + type, room(path));
      } catch (IOException e) {
        return new Place(path, "cannot be measured: " + SessionDirectory.reason(e), 0);
      }
    }

    /**
     * Looks at a directory that is there.
     *
     * @throws IllegalStateException when it cannot be measured
     */
    static Place of(Path path) {
      try {
        return new Place(path, "", room(path));
      } catch (IOException e) {
        throw new IllegalStateException(
            "cannot tell how much room " + path + " has: " + SessionDirectory.reason(e), e);
      }
    }

    private static long room(Path path) throws IOException {
      return Files.getFileStore(path).getUsableSpace();
    }
  }

  /**
   * Plans a store at a place that its user has named.
   *
   * @param chosenBytes its capacity, {@code null} for the usual one
   * @param memoryBytes of the machine or container
   * @throws IllegalStateException when it has no room there
   */
  static StorePlan at(Place place, @Nullable Long chosenBytes, long memoryBytes) {
    long wanted =
        chosenBytes != null
            ? chosenBytes
            : Math.max(LEAST_BYTES, Math.min(usual(memoryBytes), most(place)));
    if (wanted > place.roomBytes) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "an object store of %,d MiB has no room in %s, where %,d MiB are free; choose less"
                  + " with --object-store-memory or another place with --store-dir",
              wanted >> 20,
              place.path,
              place.roomBytes >> 20));
    }
    return new StorePlan(place.path, wanted, "");
  }

  /**
   * Plans a store in shared memory, or where that will not do in a directory of the node.
   *
   * @param chosenBytes its capacity, {@code null} for the usual one
   * @param memoryBytes of the machine or container
   * @throws IllegalStateException when it has no room in either
   */
  static StorePlan in(Place shared, Place own, @Nullable Long chosenBytes, long memoryBytes) {
    String problem = shared.problem;
    if (problem.isEmpty()) {
      long least = chosenBytes != null ? chosenBytes : Math.min(usual(memoryBytes), SMALL_BYTES);
      long room = chosenBytes != null ? shared.roomBytes : most(shared);
      if (least <= room) {
        return at(shared, chosenBytes, memoryBytes);
      }
      problem = String.format(Locale.ROOT, "has only %,d MiB free", shared.roomBytes >> 20);
    }
    StorePlan plan = at(own, chosenBytes, memoryBytes);
    String note =
        shared.path
            + " "
            + problem
            + ", so the memory for objects is a file in "
            + own.path
            + ", which is slower where that is a disk; give a container --shm-size, or name a"
            + " --store-dir on a tmpfs";
    return new StorePlan(plan.parent, plan.bytes, note);
  }

  private static long usual(long memoryBytes) {
    return Math.max(LEAST_BYTES, memoryBytes / 10 * 3);
  }

  private static long most(Place place) {
    return place.roomBytes / 100 * 95;
  }
}
