package io.aktis.cluster.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The processes of one node: its daemon, and all that came from it. A daemon passes the variable
 * {@link #NODE_VARIABLE} on to what it starts, so that these are known as its own even when it was
 * killed and they have lost their parent. Confined to one thread.
 */
final class NodeProcesses {
  /** Names the directory of its node to every process of a node. */
  static final String NODE_VARIABLE = "AKTIS_NODE_DIR";

  private static final long KILL_TIMEOUT_MS = 5_000;
  private static final long POLL_MS = 10;

  private final NodeDirectory node;
  private final Set<ProcessMark> marks = new LinkedHashSet<>();

  private NodeProcesses(NodeDirectory node) {
    this.node = node;
  }

  /** Looks for the processes of a node. */
  static NodeProcesses of(NodeDirectory node) {
    NodeProcesses processes = new NodeProcesses(node);
    processes.look();
    return processes;
  }

  /** Looks again, and remembers who was there before. */
  private void look() {
    long self = ProcessHandle.current().pid();
    node.daemon()
        .ifPresent(daemon -> {
          marks.add(ProcessMark.of(daemon));
          daemon.descendants().map(ProcessMark::of).forEach(marks::add);
        });
    ProcessHandle.allProcesses()
        .filter(process -> process.pid() != self && hasVariable(process))
        .map(ProcessMark::of)
        .forEach(marks::add);
  }

  /** Reads the environment of a process, which only its user may do; others are not ours. */
  private boolean hasVariable(ProcessHandle process) {
    Path file = Path.of("/proc", Long.toString(process.pid()), "environ");
    if (!Files.isReadable(file)) {
      return false;
    }
    try {
      String entry = NODE_VARIABLE + "=" + node.path();
      String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
      return List.of(all.split("\0")).contains(entry);
    } catch (IOException e) {
      return false; // it is gone, or another user's
    }
  }

  /** Returns those that run. */
  List<ProcessHandle> running() {
    List<ProcessHandle> running = new ArrayList<>();
    marks.forEach(mark -> mark.process().ifPresent(running::add));
    return running;
  }

  /** Waits for the end of all; returns whether it has come. */
  boolean awaitEnd(long timeoutMs) throws InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    while (!running().isEmpty()) {
      if (System.nanoTime() >= deadlineNs) {
        return false;
      }
      // Not by ProcessHandle.onExit, which waits until the parent, perhaps a lazy one, takes note.
      Thread.sleep(POLL_MS);
    }
    return true;
  }

  /**
   * Ends all at once with SIGKILL, and what they started meanwhile; waits until they are gone.
   *
   * @return how many were killed
   */
  int kill() {
    int killed = 0;
    look();
    for (List<ProcessHandle> left = running(); !left.isEmpty(); left = running()) {
      killed += left.size();
      left.forEach(ProcessHandle::destroyForcibly);
      try {
        if (!awaitEnd(KILL_TIMEOUT_MS)) {
          throw new IllegalStateException(
              "processes do not end although they were killed: "
                  + running().stream().map(ProcessHandle::pid).toList());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return killed;
      }
      look();
    }
    return killed;
  }
}
