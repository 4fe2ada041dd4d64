package io.aktis.runtime.session;

import io.aktis.NodeInfo;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.ShapeKey;
import io.aktis.core.owner.Task;
import io.aktis.core.placement.PlacementEffect;
import io.aktis.core.schedule.NodeView;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;

/**
 * One node with its workers as the shell of an owner uses it: in this process, or at the other end
 * of a connection. Requests are answered by events, at once or later. Confined to the owner's loop,
 * but for the id and the labels.
 */
interface NodePort {
  NodeId id();

  SortedMap<String, String> labels();

  boolean isAlive();

  /** Returns the node as it was heard of last. */
  NodeView view();

  /** Asks for what {@link #info} is made of; falls when it has come, or never will. */
  void report(CountDownLatch done);

  /** Returns the node as people see it, as of the last report. */
  NodeInfo info();

  /** Returns the leases that run work here, by id. */
  Map<LeaseId, Lease> leases();

  // ---- leases ---------------------------------------------------------------------------------

  void ask(OwnerEffect.AskLease ask);

  void satisfied(ShapeKey shape);

  /** Gives a lease back; nothing runs on it any more. */
  void release(Lease lease);

  void markIdle(Lease lease);

  void markBusy(Lease lease);

  void block(Lease lease);

  void unblock(Lease lease, Object waiter);

  // ---- work -----------------------------------------------------------------------------------

  void push(Task task, int attempt, Lease lease);

  void pushCall(Actor actor, Task task, int attempt);

  void recall(Lease lease);

  /** Kills the process that runs the work of a lease, with all else that runs in it. */
  void killProcess(Lease lease);

  void endActor(OwnerEffect.EndActor end);

  /** Ends an actor as if its process had died; {@link OwnerActors#lost} is told of it. */
  void loseActor(Actor actor, Lease lease);

  /** Ends the work of a lease whose bundle is given up, and then releases it. */
  void endWork(Lease lease);

  void deleteCopy(ObjectId object);

  // ---- placement groups -------------------------------------------------------------------------

  void prepare(PlacementEffect.SendPrepare prepare);

  void commit(PlacementEffect.SendCommit commit);

  void cancel(PlacementEffect.SendCancel cancel);

  void remove(PlacementEffect.SendRemove remove);
}
