package io.aktis.simulation;

import io.aktis.core.id.LeaseId;
import java.util.List;
import java.util.function.Consumer;

/** One attempt at a worker of a node. */
final class NodeRun implements ScriptRun.Place {
  private final NodeProcess node;
  private final RunSpec spec;
  private final LeaseId lease;
  private final Worker worker;
  private final ScriptRun code;
  private final long beganMs;

  NodeRun(NodeProcess node, RunSpec spec, LeaseId lease, Worker worker, boolean keepsItsTurn) {
    this.node = node;
    this.spec = spec;
    this.lease = lease;
    this.worker = worker;
    this.code = new ScriptRun(spec.script(), spec.attempt(), keepsItsTurn, this);
    this.beganMs = node.nowMs();
  }

  RunSpec spec() {
    return spec;
  }

  LeaseId lease() {
    return lease;
  }

  ScriptRun code() {
    return code;
  }

  Worker worker() {
    return worker;
  }

  void begin() {
    code.begin(spec.args());
  }

  long nanos() {
    return Math.max(1_000, (node.nowMs() - beganMs) * 1_000_000);
  }

  @Override
  public void after(long ms, Runnable action) {
    node.after(
        ms,
        () -> {
          if (!code.isOver()) {
            action.run();
          }
        });
  }

  @Override
  public void look(List<Value> values, Consumer<Boolean> seen) {
    node.look(values, seen);
  }

  @Override
  public void starts() {
    node.world().witness().started(spec, node, worker);
  }

  @Override
  public void did(Step step) {
    node.tellOwner(spec.key(), new Message.Did(spec.key(), step));
  }

  @Override
  public void puts(Step.Put put) {
    Made made = node.make(node.world().nextPut(spec.key().owner()), put.large(), put.contained());
    node.tellOwner(spec.key(), new Message.DidPut(spec.key(), made));
  }

  @Override
  public void waits(int wait, Step step) {
    node.tellOwner(spec.key(), new Message.Waits(spec.key(), wait, step));
  }

  @Override
  public void stopsWaiting(int wait) {
    node.tellOwner(spec.key(), new Message.StopsWaiting(spec.key(), wait));
  }

  @Override
  public void ended(ScriptRun.Ending ending) {
    node.ended(this, ending);
  }

  @Override
  public String toString() {
    return spec.toString();
  }
}
