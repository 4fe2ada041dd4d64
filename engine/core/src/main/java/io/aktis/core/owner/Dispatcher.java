package io.aktis.core.owner;

import io.aktis.core.id.BundleId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.lease.LeaseRequest;
import io.aktis.core.schedule.Strategy;
import io.aktis.core.task.TaskState;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings queued tasks to leases: reuses the leases it has, asks for more while tasks wait, sends
 * short tasks ahead, and gives leases back.
 *
 * <p>Tasks run in the order they became ready. A lease takes one task at a time, unless tasks of
 * the shape are short. Several are then sent ahead to a lease: very few microseconds of work
 * because waking the worker of another lease would take longer, and more when no further lease can
 * be had. They come back when the lease blocks, or when its first task turns out to be a long one.
 *
 * <p>Confined to the owner's loop.
 */
final class Dispatcher {
  static final long IDLE_MS = 50;
  private static final long RECALL_MS = 2;
  private static final int MAX_ASKED = 4;
  private static final int MAX_CANCELLED = 64;

  private final Effects effects;
  private final NodeChooser chooser;
  private final long ownerNumber;
  private final long infeasibleGraceMs;
  private final Map<ShapeKey, Shape> shapes = new LinkedHashMap<>();
  private final LinkedHashSet<Shape> waiting = new LinkedHashSet<>();
  private final GoneBundles goneBundles = new GoneBundles();
  private final Map<LeaseId, Lease> idleLeases = new LinkedHashMap<>();
  private long leaseNumber;
  private boolean sweepTimer;

  Dispatcher(Effects effects, NodeChooser chooser, long ownerNumber, long infeasibleGraceMs) {
    this.effects = effects;
    this.chooser = chooser;
    this.ownerNumber = ownerNumber;
    this.infeasibleGraceMs = infeasibleGraceMs;
  }

  Shape shape(ShapeKey key) {
    Shape shape = shapes.get(key);
    if (shape == null) {
      shape = new Shape(key);
      shape.gone = goneBundles.failureOf(key.bundle());
      shapes.put(key, shape);
    }
    return shape;
  }

  /** A bundle, or all, is gone for good: returns what is queued in it; the later fails at once. */
  List<Task> bundleGone(BundleId gone, Outcome.Failure failure) {
    goneBundles.add(gone, failure);
    List<Task> queued = new ArrayList<>();
    for (Shape shape : shapes.values()) {
      if (GoneBundles.isIn(shape.key().bundle(), gone)) {
        shape.gone = failure;
        queued.addAll(takeQueued(shape));
      }
    }
    return queued;
  }

  Iterable<Shape> shapes() {
    return shapes.values();
  }

  boolean anyoneWaits() {
    return !waiting.isEmpty();
  }

  void enqueue(Task task) {
    Shape shape = shapeOf(task);
    shape.queue.add(task);
    if (!shape.stuck || shape.queue.size() == 1) { // else it stands behind one that cannot start
      pump(shape);
    }
  }

  private static Shape shapeOf(Task task) {
    Shape shape = task.shape();
    if (shape == null) {
      throw new IllegalStateException(task + " has no shape");
    }
    return shape;
  }

  private void pump(Shape shape) {
    shape.stuck = false;
    while (true) {
      Task head = nextQueued(shape);
      if (head == null) {
        satisfied(shape);
        recallLater(shape);
        return;
      }
      Lease lease = atWork(shape, head);
      if (lease == null) {
        lease = idleFor(shape, head);
      }
      if (lease == null && !ask(shape, head)) {
        lease = head.kind() == TaskKind.TASK ? shortest(shape, shape.depth()) : null;
        shape.stuck = lease == null;
      }
      if (lease == null) {
        waiting.add(shape);
        recallLater(shape);
        return;
      }
      shape.queue.poll();
      push(head, lease);
    }
  }

  /** A queued task was cancelled: it must not stay in the queue for ever, nor count as demand. */
  void dropped(Task task) {
    Shape shape = shapeOf(task);
    if (shape.cancelled > MAX_CANCELLED && shape.cancelled * 2 > shape.queue.size()) {
      shape.queue.removeIf(queued -> queued.machine().isDone());
      shape.cancelled = 0;
    }
    if (nextQueued(shape) == null) {
      shape.infeasible = false;
      satisfied(shape);
    }
  }

  private void satisfied(Shape shape) {
    shape.refused = false;
    if (shape.hungry) {
      shape.hungry = false;
      effects.add(new OwnerEffect.Satisfied(shape));
    }
    if (!shape.reason.isEmpty()) {
      shape.reason = "";
      shape.rejectedBy = List.of();
    }
    waiting.remove(shape);
  }

  /** Returns the first queued task, without those that were cancelled or failed meanwhile. */
  private static @Nullable Task nextQueued(Shape shape) {
    Task head = shape.queue.peek();
    while (head != null && head.machine().isDone()) {
      shape.queue.poll();
      shape.cancelled--;
      head = shape.queue.peek();
    }
    return head;
  }

  private @Nullable Lease idleFor(Shape shape, Task head) {
    if (shape.idle.isEmpty()) {
      return null;
    }
    Lease best = shape.idle.peekFirst();
    if (head.arguments.length > 0 && shape.idle.size() > 1) {
      best = nearest(shape, head);
    }
    if (best != null) {
      shape.idle.remove(best);
      idleLeases.remove(best.id());
      effects.add(new OwnerEffect.MarkBusy(best));
    }
    return best;
  }

  /** Returns the idle lease whose node has most bytes of the arguments. */
  private static @Nullable Lease nearest(Shape shape, Task head) {
    Lease best = null;
    long bestBytes = -1;
    for (Lease lease : shape.idle) {
      long bytes = bytesAt(lease.node(), head);
      if (bytes > bestBytes) {
        best = lease;
        bestBytes = bytes;
      }
    }
    return best;
  }

  static long bytesAt(NodeId node, Task task) {
    long bytes = 0;
    for (OwnedObject argument : task.arguments) {
      if (argument.nodes.contains(node)) {
        bytes += argument.sizeBytes;
      }
    }
    return bytes;
  }

  /** Asks for one more lease; returns false when there is no sense in it now. */
  private boolean ask(Shape shape, Task head) {
    if (shape.refused || shape.infeasible) {
      return false;
    }
    if (shape.asked.size() >= Math.min(shape.queue.size(), MAX_ASKED)) {
      return true;
    }
    if (shape.busyVersion == chooser.version() && hasRoomAhead(shape, head)) {
      return false; // the answer is known, and nobody needs to remember this shape yet
    }
    return switch (chooser.choose(shape.key(), head)) {
      case NodeChooser.Choice.Ask(NodeId node) -> {
        shape.infeasibleSinceMs = Shape.NEVER;
        askAt(node, shape);
        yield true;
      }
      case NodeChooser.Choice.Busy(String why, List<String> rejectedBy, List<NodeId> askAt) -> {
        shape.infeasibleSinceMs = Shape.NEVER;
        shape.refused = true;
        shape.busyVersion = chooser.version();
        shape.reason = why;
        shape.rejectedBy = rejectedBy;
        askAt.forEach(node -> askAt(node, shape));
        yield false;
      }
      case NodeChooser.Choice.Never(String why, List<String> rejectedBy) -> {
        shape.infeasible = true;
        shape.reason = why;
        shape.rejectedBy = rejectedBy;
        if (shape.infeasibleSinceMs == Shape.NEVER) {
          shape.infeasibleSinceMs = effects.nowMs();
        }
        startInfeasibleTimer(shape, infeasibleGraceMs);
        yield false;
      }
    };
  }

  private void askAt(NodeId node, Shape shape) {
    LeaseId id = new LeaseId(ownerNumber, ++leaseNumber);
    shape.asked.add(id);
    LeaseRequest request = new LeaseRequest(id, shape.key().demand(), shape.key().bundle());
    effects.add(new OwnerEffect.AskLease(node, shape, request));
  }

  private void startInfeasibleTimer(Shape shape, long delayMs) {
    if (!shape.infeasibleTimer) {
      shape.infeasibleTimer = true;
      effects.add(new OwnerEffect.StartTimer(delayMs, new OwnerEvent.Timer.InfeasibleCheck(shape)));
    }
  }

  private static boolean hasRoomAhead(Shape shape, Task head) {
    return head.kind() == TaskKind.TASK && shortest(shape, shape.depth()) != null;
  }

  /** Returns a lease at work that is done sooner than another worker is woken, if there is one. */
  private static @Nullable Lease atWork(Shape shape, Task head) {
    int depth = shape.depthBeforeWaking();
    if (depth <= 1 || head.kind() != TaskKind.TASK || head.arguments.length > 0) {
      return null;
    }
    for (int i = 0; i < shape.working.size(); i++) {
      Lease lease = shape.working.get(i);
      if (lease.inFlight.size() < depth && lease.takesMore()) {
        return lease;
      }
    }
    return null;
  }

  /** Returns the lease with the fewest tasks that may take one ahead, {@code null} if none may. */
  private static @Nullable Lease shortest(Shape shape, int depth) {
    Lease best = null;
    for (int i = 0; depth > 1 && i < shape.working.size(); i++) {
      Lease lease = shape.working.get(i);
      boolean open = lease.takesMore() && lease.inFlight.size() < depth;
      if (open && (best == null || lease.inFlight.size() < best.inFlight.size())) {
        best = lease;
      }
    }
    return best;
  }

  private void push(Task task, Lease lease) {
    int attempt = task.machine().push();
    task.lease = lease;
    lease.inFlight.add(task);
    lease.changed();
    effects.add(new OwnerEffect.Push(task, attempt, lease));
  }

  void granted(OwnerEvent.LeaseGranted event) {
    Shape shape = event.shape();
    boolean expected = shape.asked.remove(event.id());
    Lease lease = new Lease(event.id(), event.node(), shape, event.bundle(), event.gpuIds());
    shape.refused = false;
    if (!expected || nextQueued(shape) == null) {
      effects.add(new OwnerEffect.GiveBack(lease));
      pump(shape);
      return;
    }
    shape.leases.add(lease);
    Task head = shape.queue.remove();
    push(head, lease);
    pump(shape);
  }

  void refused(OwnerEvent.LeaseRefused event) {
    Shape shape = event.shape();
    shape.asked.remove(event.id());
    shape.refused = true;
    shape.hungry = true;
    if (shape.reason.isEmpty()) {
      shape.reason = event.reason();
    }
    pump(shape);
  }

  /** Lets all waiting shapes ask again. */
  void tryAgain() {
    for (Shape shape : new ArrayList<>(waiting)) {
      shape.refused = false;
      shape.infeasible = false;
      pump(shape);
    }
  }

  /** Takes a finished task off its lease and gives the lease the next one. */
  void finished(Task task) {
    Lease lease = task.lease;
    task.lease = null;
    if (lease == null || lease.gone) {
      return;
    }
    if (!lease.inFlight.remove(task)) {
      return;
    }
    lease.changed();
    lease.slow = false;
    if (lease.isIdle()) {
      lease.recalled = false;
      becomeIdle(lease);
    } else {
      sendAhead(lease);
    }
  }

  /** Sends more tasks ahead before the worker has run out of them. */
  private void sendAhead(Lease lease) {
    Shape shape = lease.shape();
    if (!shape.queue.isEmpty() && lease.inFlight.size() * 2 <= shape.depth()) {
      fill(lease);
    }
  }

  /** Sends a lease its share of the queue at once, as far as it may have that much ahead. */
  private void fill(Lease lease) {
    Shape shape = lease.shape();
    int share = Math.ceilDiv(shape.queue.size(), Math.max(1, shape.working.size()));
    int room = Math.min(shape.depth() - lease.inFlight.size(), share);
    Task head = nextQueued(shape);
    while (room-- > 0 && head != null && head.kind() == TaskKind.TASK && lease.takesMore()) {
      shape.queue.poll();
      push(head, lease);
      head = nextQueued(shape);
    }
    if (head == null || !shape.stuck) {
      pump(shape);
    } else {
      recallLater(shape);
    }
  }

  private void becomeIdle(Lease lease) {
    Shape shape = lease.shape();
    Task next = nextQueued(shape);
    if (next != null && isReusable(shape)) {
      shape.queue.remove();
      push(next, lease);
      fill(lease);
      return;
    }
    if (!isReusable(shape)) {
      giveBack(lease);
      pump(shape);
      return;
    }
    satisfied(shape);
    lease.idleSinceMs = effects.nowMs();
    shape.idle.addFirst(lease);
    idleLeases.put(lease.id(), lease);
    effects.add(new OwnerEffect.MarkIdle(lease));
    startSweep();
    recallLater(shape);
  }

  /** Spread work asks anew for each task, for only so it is spread evenly; devices are cleaned. */
  private static boolean isReusable(Shape shape) {
    return !(shape.key().strategy() instanceof Strategy.Spread)
        && shape.key().demand().toHold().gpuUnits() == 0;
  }

  private void startSweep() {
    if (!sweepTimer) {
      sweepTimer = true;
      effects.add(new OwnerEffect.StartTimer(IDLE_MS, new OwnerEvent.Timer.IdleSweep()));
    }
  }

  void idleSweep() {
    sweepTimer = false;
    for (Lease lease : new ArrayList<>(idleLeases.values())) {
      if (effects.nowMs() - lease.idleSinceMs >= IDLE_MS) {
        giveBackIdle(lease);
      }
    }
    if (!idleLeases.isEmpty()) {
      startSweep();
    }
  }

  void reclaimed(List<LeaseId> ids) {
    for (LeaseId id : ids) {
      Lease lease = idleLeases.get(id);
      if (lease != null) {
        giveBackIdle(lease);
      }
    }
  }

  private void giveBackIdle(Lease lease) {
    lease.shape().idle.remove(lease);
    idleLeases.remove(lease.id());
    giveBack(lease);
  }

  private void giveBack(Lease lease) {
    lease.gone = true;
    lease.changed();
    lease.shape().leases.remove(lease);
    effects.add(new OwnerEffect.GiveBack(lease));
  }

  /** Hands the lease of a constructed actor over to it. */
  @Nullable Lease capture(Task creation) {
    Lease lease = creation.lease;
    if (lease != null) {
      creation.lease = null;
      lease.inFlight.remove(creation);
      lease.changed();
      lease.shape().leases.remove(lease);
    }
    return lease;
  }

  void blocked(Lease lease, Task task) {
    lease.blockedBy = task;
    lease.changed();
    effects.add(new OwnerEffect.LeaseBlocked(lease));
    if (lease.inFlight.size() > 1) {
      recall(lease);
    }
  }

  void unblocked(Lease lease, Object waiter) {
    lease.blockedBy = null;
    lease.changed();
    effects.add(new OwnerEffect.LeaseUnblocked(lease, waiter));
  }

  /**
   * Puts tasks that were sent ahead back to the front of the queue; returns those that have to wait
   * or fail instead, for their arguments were lost meanwhile, or their group was removed.
   */
  List<Task> returned(OwnerEvent.Returned event) {
    Lease lease = event.lease();
    lease.recalled = false;
    List<Task> tasks = event.tasks();
    List<Task> unready = new ArrayList<>(0);
    for (int i = tasks.size() - 1; i >= 0; i--) {
      Task task = tasks.get(i);
      if (task.lease == lease && lease.inFlight.remove(task) && !task.machine().isDone()) {
        task.machine().returned();
        task.lease = null;
        if (task.lacksArguments() || lease.shape().gone != null) {
          task.machine().argumentsLost();
          unready.add(task);
        } else {
          lease.shape().queue.addFirst(task);
        }
      }
    }
    lease.changed();
    if (lease.isIdle() && !lease.gone && !idleLeases.containsKey(lease.id())) {
      becomeIdle(lease);
    }
    pump(lease.shape());
    return unready;
  }

  private void recallLater(Shape shape) {
    if (!shape.recallTimer && shape.aheadCount > 0) {
      shape.recallTimer = true;
      effects.add(new OwnerEffect.StartTimer(RECALL_MS, new OwnerEvent.Timer.RecallCheck(shape)));
    }
  }

  /** Takes back what was sent ahead to a lease whose task is not as short as those before it. */
  void recallCheck(Shape shape) {
    shape.recallTimer = false;
    for (Lease lease : shape.working) {
      Task first = lease.inFlight.peekFirst();
      if (lease.isAhead() && first == lease.firstAtCheck) {
        lease.slow = true;
        recall(lease);
      }
      lease.firstAtCheck = first;
    }
    recallLater(shape);
  }

  private void recall(Lease lease) {
    lease.recalled = true;
    effects.add(new OwnerEffect.Recall(lease));
  }

  /** Drops a lost lease and returns the tasks that were on it. */
  List<Task> lost(Lease lease) {
    lease.gone = true;
    lease.shape().leases.remove(lease);
    lease.shape().idle.remove(lease);
    idleLeases.remove(lease.id());
    List<Task> tasks = new ArrayList<>(lease.inFlight);
    lease.inFlight.clear();
    lease.changed();
    for (Task task : tasks) {
      task.lease = null;
    }
    return tasks;
  }

  /** Returns the queued tasks of a shape that no node can hold, when that is still so. */
  List<Task> infeasibleNow(Shape shape) {
    shape.infeasibleTimer = false;
    if (!shape.infeasible) {
      return List.of();
    }
    long leftMs = shape.infeasibleSinceMs + infeasibleGraceMs - effects.nowMs();
    if (leftMs > 0) { // some node could hold it meanwhile, and is gone again
      startInfeasibleTimer(shape, leftMs);
      return List.of();
    }
    shape.infeasible = false;
    shape.infeasibleSinceMs = Shape.NEVER;
    waiting.remove(shape);
    return takeQueued(shape);
  }

  /** Takes tasks out of the queues whose arguments are gone. */
  void takeOutUnready() {
    for (Shape shape : shapes.values()) {
      shape.queue.removeIf(task -> task.machine().state() == TaskState.WAITING);
    }
  }

  /** Takes all queued tasks of a shape. */
  static List<Task> takeQueued(Shape shape) {
    List<Task> tasks = new ArrayList<>(shape.queue.size());
    for (Iterator<Task> queued = shape.queue.iterator(); queued.hasNext(); ) {
      Task task = queued.next();
      queued.remove();
      if (!task.machine().isDone()) {
        tasks.add(task);
      }
    }
    shape.cancelled = 0;
    return tasks;
  }

  /** Returns the leases that lie idle. */
  int idleCount() {
    return idleLeases.size();
  }
}
