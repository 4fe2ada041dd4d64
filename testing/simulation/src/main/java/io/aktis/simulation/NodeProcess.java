package io.aktis.simulation;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.lease.Freed;
import io.aktis.core.lease.Hungry;
import io.aktis.core.lease.LeaseAnswer;
import io.aktis.core.lease.LeaseLedger;
import io.aktis.core.lease.LeaseStatus;
import io.aktis.core.lease.Returned;
import io.aktis.core.lease.Unblocked;
import io.aktis.core.owner.TaskKind;
import io.aktis.core.resource.Resources;
import io.aktis.core.schedule.NodeView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A machine: its ledger of resources, its workers, and its object store. */
final class NodeProcess extends LiveProcess {
  private static final long EXPIRE_MS = 200;

  private final int cpus;
  private LeaseLedger ledger;
  private Fetcher fetcher = new Fetcher(this);
  private final Map<LeaseId, Worker> workers = new LinkedHashMap<>();
  private final Map<ActorId, Worker> actors = new LinkedHashMap<>();
  private final Map<RunKey, NodeRun> runs = new LinkedHashMap<>();
  private final Map<LeaseId, Message.Wake> resuming = new LinkedHashMap<>();
  private final Map<ObjectId, Long> store = new LinkedHashMap<>();

  NodeProcess(World world, int index, int cpus) {
    super(world, Address.node(index));
    this.cpus = cpus;
    this.ledger = new LeaseLedger(Resources.cpus(cpus), List.of());
  }

  /** Returns the name of the present life. */
  NodeId id() {
    return new NodeId(address().index() + 1L, starts());
  }

  private NodeView view() {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put("zone", "zone" + address().index() % 2);
    return new NodeView(
        id(), ledger.numbers(), labels, true, ledger.hungry().size(), ledger.bundles());
  }

  // ---- life -----------------------------------------------------------------------------------

  @Override
  void started() {
    ledger = new LeaseLedger(Resources.cpus(cpus), List.of());
    fetcher = new Fetcher(this);
    connect(Address.HEAD);
    world().owners().forEach(owner -> connect(owner.address()));
    after(EXPIRE_MS, this::expire);
    after(Timing.GOSSIP, this::gossipView);
    after(Timing.REPORT, this::report);
  }

  @Override
  void died() {
    workers.values().forEach(this::killed);
    workers.clear();
    actors.clear();
    runs.clear();
    resuming.clear();
    store.clear();
  }

  private void killed(Worker worker) {
    for (NodeRun run : worker.running()) {
      if (run.code().isStarted()) {
        world().witness().ended(run.spec(), worker);
      }
    }
    worker.kill();
  }

  private void expire() {
    returned(ledger.expire(nowMs()));
    after(EXPIRE_MS, this::expire);
  }

  private void gossipView() {
    Message hello = new Message.Hello(view());
    world().owners().forEach(owner -> gossip(owner.address(), hello));
    gossip(Address.HEAD, hello);
    after(Timing.GOSSIP, this::gossipView);
  }

  private void report() {
    gossip(Address.HEAD, new Message.Bundles(id(), ledger.bundles()));
    after(Timing.REPORT, this::report);
  }

  @Override
  void peerUp(Address other) {
    if (other.kind() != Address.Kind.NODE) {
      sendIfUp(other, new Message.Hello(view()));
    }
  }

  @Override
  void peerDown(Address other) {
    fetcher.peerDown(other);
    if (other.kind() == Address.Kind.OWNER) {
      ownerGone(other.ownerNumber());
    }
  }

  /** Nothing of that owner counts any more: its work ends, its leases and objects go. */
  private void ownerGone(long owner) {
    for (LeaseId lease : ledger.forget(owner)) {
      Worker worker = workers.get(lease);
      if (worker != null) {
        killed(worker);
      }
      release(lease);
    }
    runs.keySet().removeIf(key -> key.owner() == owner);
    store.keySet().removeIf(id -> id.owner() == owner);
  }

  // ---- messages -------------------------------------------------------------------------------

  @Override
  void gossiped(Address from, Message message) {}

  @Override
  void received(Address from, Message original) {
    Message message = world().tampering().toNode(original);
    if (message == null) {
      return;
    }
    switch (message) {
      case Message.AskLease ask -> askLease(from, ask);
      case Message.Satisfied satisfied ->
          ledger.satisfied(from.ownerNumber(), satisfied.demand(), satisfied.bundle());
      case Message.GiveBack back -> giveBack(back.lease());
      case Message.MarkIdle idle -> {
        if (ledger.markIdle(idle.lease())) {
          reclaim(List.of(idle.lease()));
        }
      }
      case Message.MarkBusy busy -> ledger.markBusy(busy.lease());
      case Message.Push push -> push(push.lease(), push.run());
      case Message.PushCall push -> pushCall(push.actor(), push.run());
      case Message.Recall recall -> recall(from, recall.lease());
      case Message.Block block -> freed(ledger.block(block.lease()));
      case Message.Unblock unblock -> unblock(unblock.lease(), unblock.wake());
      case Message.Wake wake -> wake(wake);
      case Message.Interrupt interrupt -> interrupt(from, interrupt);
      case Message.Keep keep -> store.put(keep.object(), keep.content());
      case Message.DeleteCopy delete -> store.remove(delete.object());
      case Message.EndActor end -> endActor(end);
      case Message.Fetch fetch ->
          sendIfUp(
              from, new Message.Fetched(fetch.number(), fetch.object(), store.get(fetch.object())));
      case Message.Fetched fetched -> fetcher.fetched(fetched);
      default -> fromHead(message);
    }
  }

  private void fromHead(Message message) {
    switch (message) {
      case Message.Prepare prepare -> {
        var answer =
            ledger.prepare(
                prepare.group(),
                prepare.attempt(),
                prepare.bundles(),
                nowMs() + prepare.holdMs(),
                nowMs());
        if (answer instanceof io.aktis.core.lease.PrepareAnswer.Refused refused) {
          reclaim(refused.idle());
        }
        List<Integer> indexes = prepare.bundles().stream().map(each -> each.index()).toList();
        sendIfUp(Address.HEAD, new Message.Prepared(id(), indexes, answer));
      }
      case Message.Commit commit -> {
        boolean done = ledger.commit(commit.group(), commit.indexes(), commit.attempt());
        sendIfUp(Address.HEAD, new Message.Committed(id(), commit.group(), commit.attempt(), done));
      }
      case Message.CancelBundles cancel ->
          returned(ledger.cancel(cancel.group(), cancel.indexes(), cancel.attempt(), nowMs()));
      case Message.RemoveBundles remove -> returned(ledger.remove(remove.group(), nowMs()));
      default -> throw new Violation("a node does not expect " + message);
    }
  }

  void tellOwner(RunKey run, Message message) {
    sendIfUp(Address.ofOwner(run.owner()), message);
  }

  private void tellOwner(LeaseId lease, Message message) {
    sendIfUp(Address.ofOwner(lease.owner()), message);
  }

  // ---- leases ---------------------------------------------------------------------------------

  private void askLease(Address from, Message.AskLease ask) {
    switch (ledger.request(ask.request(), nowMs())) {
      case LeaseAnswer.Granted granted -> {
        workers.computeIfAbsent(granted.lease(), lease -> new Worker(this, lease));
        sendIfUp(from, new Message.LeaseGranted(granted.lease(), granted.bundle()));
      }
      case LeaseAnswer.Refused refused -> {
        String why = id() + " says " + refused.reason();
        sendIfUp(from, new Message.LeaseRefused(refused.lease(), why, refused.numbers()));
        reclaim(refused.idle());
      }
    }
  }

  private void reclaim(List<LeaseId> leases) {
    for (LeaseId lease : leases) {
      tellOwner(lease, new Message.Reclaim(List.of(lease)));
    }
  }

  private void giveBack(LeaseId lease) {
    Worker worker = workers.get(lease);
    Violation.check(worker == null || worker.isIdle(), "no lease is given back in use", worker);
    release(lease);
  }

  private void release(LeaseId lease) {
    Worker worker = workers.remove(lease);
    if (worker != null && worker.actor() != null) {
      actors.remove(worker.actor(), worker);
    }
    resuming.remove(lease);
    freed(ledger.release(lease));
  }

  private void freed(Freed freed) {
    for (LeaseId lease : freed.resumed()) {
      Message.Wake wake = resuming.remove(lease);
      if (wake != null) {
        wake(wake);
      }
    }
    for (Hungry hungry : freed.tryAgain()) {
      sendIfUp(Address.ofOwner(hungry.owner()), new Message.TryAgain());
    }
  }

  private void unblock(LeaseId lease, Message.Wake wake) {
    Unblocked answer = ledger.unblock(lease);
    if (answer.outcome() == Unblocked.Outcome.QUEUED) {
      resuming.put(lease, wake);
      reclaim(answer.idle());
    } else {
      wake(wake);
    }
  }

  private void wake(Message.Wake wake) {
    NodeRun run = runs.get(wake.run());
    if (run != null) {
      run.code().wake(wake.nth(), wake.values(), wake.brokenOff());
    }
  }

  private void returned(Returned returned) {
    returned.toEnd().forEach(this::endLease);
    freed(returned.freed());
  }

  /** The bundle of a lease is gone: what runs there ends, an actor as its owner says. */
  private void endLease(LeaseId lease) {
    tellOwner(lease, new Message.LeaseEnded(lease));
    Worker worker = workers.get(lease);
    if (worker == null || worker.actor() != null) {
      return;
    }
    worker.running().forEach(run -> runs.remove(run.spec().key()));
    worker.takeQueued().forEach(run -> runs.remove(run.spec().key()));
    killed(worker);
    after(Timing.KILL, () -> release(lease));
  }

  // ---- work -----------------------------------------------------------------------------------

  private void push(LeaseId lease, RunSpec spec) {
    Worker worker = workers.get(lease);
    if (worker != null && !worker.isEnding()) {
      add(new NodeRun(this, spec, lease, worker, false));
    }
  }

  private void pushCall(ActorId actor, RunSpec spec) {
    Worker worker = actors.get(actor);
    if (worker != null && !worker.isEnding()) {
      add(new NodeRun(this, spec, worker.lease(), worker, spec.ordered()));
    }
  }

  private void add(NodeRun run) {
    NodeRun before = runs.put(run.spec().key(), run);
    Violation.check(before == null, "an attempt is sent once", run);
    run.worker().add(run);
  }

  private void recall(Address from, LeaseId lease) {
    Worker worker = workers.get(lease);
    List<RunKey> keys = new ArrayList<>();
    if (worker != null) {
      for (NodeRun run : worker.takeQueued()) {
        runs.remove(run.spec().key());
        keys.add(run.spec().key());
      }
    }
    sendIfUp(from, new Message.Returned(lease, keys));
  }

  private void interrupt(Address from, Message.Interrupt interrupt) {
    NodeRun run = runs.get(interrupt.run());
    if (run == null) {
      sendIfUp(from, new Message.InterruptAnswered(interrupt.ticket(), false));
      return;
    }
    if (run.worker().takeOut(run)) {
      ended(run, ScriptRun.Ending.WITHDRAWN);
    } else {
      run.code().interrupt();
    }
    sendIfUp(from, new Message.InterruptAnswered(interrupt.ticket(), run.code().isStarted()));
  }

  private void endActor(Message.EndActor end) {
    Worker worker = workers.get(end.lease());
    if (worker == null || !end.actor().equals(worker.actor())) {
      release(end.lease()); // it was killed while it was made, or is gone by itself
      return;
    }
    worker.end();
    actors.remove(end.actor(), worker);
    for (NodeRun run : worker.takeQueued()) {
      ended(run, ScriptRun.Ending.WITHDRAWN);
    }
    if (end.interrupt()) {
      worker.running().forEach(run -> run.code().interrupt());
    }
    releaseIfEnded(worker);
  }

  private void releaseIfEnded(Worker worker) {
    if (worker.isEnding() && worker.isIdle() && workers.get(worker.lease()) == worker) {
      release(worker.lease());
    }
  }

  /** A run is over; tells its owner, and lets the next begin. */
  void ended(NodeRun run, ScriptRun.Ending ending) {
    RunSpec spec = run.spec();
    RunKey key = spec.key();
    boolean exits = spec.script().exits() && spec.kind() == TaskKind.CALL;
    runs.remove(key);
    if (run.code().isStarted()) {
      world().witness().ended(spec, run.worker());
    }
    switch (ending) {
      case RETURNED -> {
        if (spec.kind() == TaskKind.CREATION) {
          run.worker().becomesActor(spec);
          actors.put(java.util.Objects.requireNonNull(spec.actor()), run.worker());
        }
        tellOwner(key, new Message.Succeeded(key, results(spec), run.nanos(), exits));
      }
      case THREW -> tellOwner(key, new Message.Threw(key, false, run.nanos(), exits));
      case THREW_FOR_A_RETRY ->
          tellOwner(key, new Message.Threw(key, spec.kind() == TaskKind.TASK, run.nanos(), exits));
      case ARGUMENT_LOST -> tellOwner(key, new Message.ArgumentLost(key));
      case WITHDRAWN -> tellOwner(key, new Message.Withdrawn(key));
    }
    run.worker().over(run);
    releaseIfEnded(run.worker());
  }

  private List<Made> results(RunSpec spec) {
    List<Made> made = new ArrayList<>();
    for (int i = 0; i < spec.results().size(); i++) {
      Script.Result result = spec.script().results().get(i);
      made.add(make(spec.results().get(i), result.large(), result.contained()));
    }
    return made;
  }

  /** Makes a value; a large one lies in the store here. */
  Made make(ObjectId id, boolean large, List<Integer> contained) {
    long content = Value.truth(id);
    if (large) {
      store.put(id, content);
    }
    return new Made(id, large, content, contained);
  }

  void look(List<Value> values, Consumer<Boolean> seen) {
    fetcher.look(values, store, seen);
  }

  // ---- faults ---------------------------------------------------------------------------------

  /** The process of one worker dies; the node lives on and knows what had started there. */
  void loseWorker(int number) {
    if (workers.isEmpty()) {
      return;
    }
    Worker worker = new ArrayList<>(workers.values()).get(number % workers.size());
    note("loses", worker);
    List<RunKey> started = new ArrayList<>();
    for (NodeRun run : worker.running()) {
      runs.remove(run.spec().key());
      if (run.code().isStarted()) {
        started.add(run.spec().key());
      }
    }
    worker.takeQueued().forEach(run -> runs.remove(run.spec().key()));
    killed(worker);
    tellOwner(worker.lease(), new Message.WorkerLost(worker.lease(), worker.actor(), started));
    release(worker.lease());
  }

  // ---- checks ---------------------------------------------------------------------------------

  @Override
  void validate() {
    ledger.validate();
    int busy = 0;
    for (Worker worker : workers.values()) {
      busy += worker.busyMilliCpus();
    }
    Violation.check(busy <= 1_000 * cpus, "no more CPUs are used than there are", address(), busy);
    for (LeaseStatus lease : ledger.leases()) {
      LiveProcess owner = world().process(Address.ofOwner(lease.id().owner()));
      Violation.check(
          owner.deadForMs() < Timing.DEAD_OWNER, "a dead owner has no lease for long", lease);
    }
  }

  /** Returns what is left here that should not be when all is over; null for nothing. */
  @Nullable String leftover() {
    if (!ledger.available().equals(ledger.total())
        || !ledger.leases().isEmpty()
        || !ledger.bundles().isEmpty()) {
      return address() + " holds " + ledger.leases() + " and " + ledger.bundles();
    }
    if (!workers.isEmpty() || !runs.isEmpty() || !store.isEmpty() || !resuming.isEmpty()) {
      return address() + " has " + workers.values() + ", " + runs.keySet() + ", " + store.keySet();
    }
    return null;
  }
}
