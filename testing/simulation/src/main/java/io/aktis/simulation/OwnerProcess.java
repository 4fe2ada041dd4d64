package io.aktis.simulation;

import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.FailureKind;
import io.aktis.core.owner.Lease;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerConfig;
import io.aktis.core.owner.OwnerEffect;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.OwnerMachine;
import io.aktis.core.owner.Task;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A driver process: its program, and the machine that owns what the program submits. */
final class OwnerProcess extends LiveProcess {
  private final OwnerMachine machine;
  private final OwnerShell shell;
  private final OwnerDoor door;
  private final NodeBook nodes;
  private final ActorBook actors = new ActorBook();
  private final GroupBook groups;
  private final WaitBook waitBook = new WaitBook();
  private final Fetcher fetcher = new Fetcher(this);
  private final StepDesk desk = new StepDesk(this);
  private final Scope scope = new Scope(null, 0);
  private final Driver driver;
  private final Map<RunKey, Sent> sent = new LinkedHashMap<>();
  private final Map<LeaseId, Lease> leases = new LinkedHashMap<>();
  private final Map<Long, Ticket> tickets = new LinkedHashMap<>();
  private final ArrayDeque<OwnerEvent> events = new ArrayDeque<>();
  private boolean busy;
  private boolean over;
  private long sequence;
  private long runs;

  /** A cancellation that waits for its answer. */
  private record Ticket(Task task, boolean force) {}

  OwnerProcess(World world, int index, Script program, boolean hurried, long maxLineageBytes) {
    super(world, Address.owner(index));
    this.nodes = new NodeBook(world.random().nextLong());
    this.groups = new GroupBook(number());
    this.machine =
        new OwnerMachine(
            new OwnerConfig(number(), Timing.INFEASIBLE_GRACE, maxLineageBytes), nodes);
    this.shell = new OwnerShell(this);
    this.door = new OwnerDoor(this);
    this.driver = new Driver(this, program, hurried);
  }

  long number() {
    return address().ownerNumber();
  }

  OwnerMachine machine() {
    return machine;
  }

  NodeBook nodes() {
    return nodes;
  }

  ActorBook actors() {
    return actors;
  }

  GroupBook groups() {
    return groups;
  }

  WaitBook waitBook() {
    return waitBook;
  }

  Fetcher fetcher() {
    return fetcher;
  }

  StepDesk desk() {
    return desk;
  }

  Scope scope() {
    return scope;
  }

  Map<LeaseId, Lease> leases() {
    return leases;
  }

  RunKey driverKey() {
    return new RunKey(number(), 0);
  }

  // ---- life -----------------------------------------------------------------------------------

  @Override
  void started() {
    connect(Address.HEAD);
    world().nodes().forEach(node -> connect(node.address()));
    after(500, driver::start);
  }

  @Override
  void died() {}

  /** The job is over: what is not done fails, and everything is let go. */
  void endJob() {
    note("ends its job");
    over = true;
    closeAll(scope);
    Outcome.Failure why = Outcome.Failure.of(FailureKind.SESSION_CLOSED, "the job is over");
    tell(new OwnerEvent.JobEnded(why));
    for (Actor actor : actors.all()) {
      tell(new OwnerEvent.ActorKilled(actor, why.message()));
    }
    groups.all().forEach(this::remove);
  }

  /** Takes care of a reference that belongs to the driver without being in its program. */
  void adopt(OwnedObject object) {
    if (over) {
      tell(new OwnerEvent.Released(List.of(object)));
    } else {
      scope.borrow(List.of(object));
    }
  }

  @Override
  void peerUp(Address other) {
    if (other.kind() == Address.Kind.HEAD) {
      groups.all().forEach(this::ask);
    }
  }

  @Override
  void peerDown(Address other) {
    fetcher.peerDown(other);
    if (other.kind() == Address.Kind.NODE) {
      door.nodeGone(other);
    }
  }

  @Override
  void gossiped(Address from, Message message) {
    if (message instanceof Message.Hello hello
        && nodes.tells(from, hello.view())
        && machine.anyoneWaits()) {
      tell(new OwnerEvent.TryAgain());
    }
  }

  @Override
  void received(Address from, Message message) {
    door.received(from, message);
  }

  // ---- the machine ------------------------------------------------------------------------------

  /** Tells the machine, now or after what it is being told. */
  void tell(OwnerEvent event) {
    events.add(event);
    if (busy) {
      return;
    }
    busy = true;
    for (OwnerEvent next = events.poll(); next != null; next = events.poll()) {
      machine.on(world().tampering().ownerEvent(next), nowMs(), shell);
    }
    busy = false;
  }

  TaskId nextId() {
    return TaskId.of(number(), ++sequence);
  }

  List<OwnedObject> results(Task task, int count) {
    OwnedObject[] results = new OwnedObject[count];
    for (int i = 0; i < count; i++) {
      results[i] = new OwnedObject(task.id().result(i), task, task);
    }
    task.results(results);
    return List.of(results);
  }

  void submit(Task task, int maxRetries, long caller, long timeoutMs) {
    world().witness().submitted(task, maxRetries, caller);
    tell(new OwnerEvent.Submitted(task, caller, timeoutMs));
  }

  void askLease(OwnerEffect.AskLease ask) {
    LeaseId lease = ask.request().id();
    Address address = nodes.addressOf(ask.node());
    if (address == null) {
      tell(new OwnerEvent.LeaseRefused(ask.shape(), lease, ask.node() + " is gone"));
    } else {
      door.asks(lease, ask.shape(), address);
      sendIfUp(address, new Message.AskLease(ask.request()));
    }
  }

  // ---- attempts ---------------------------------------------------------------------------------

  Sent send(Task task, int attempt, Lease lease) {
    RunKey key = new RunKey(number(), ++runs);
    Actor actor = task.actor();
    long caller = actor == null ? task.id().sequence() : -actor.id().number();
    Address node = Address.node((int) lease.node().owner() - 1);
    Sent now = new Sent(key, task, attempt, lease, node, new Scope(task, caller));
    sent.put(key, now);
    task.running(now);
    return now;
  }

  @Nullable Sent sent(RunKey run) {
    return sent.get(run);
  }

  List<Sent> allSent() {
    return new ArrayList<>(sent.values());
  }

  /** Nothing more will be heard of an attempt: what its code held is let go. */
  @Nullable Sent over(RunKey run) {
    Sent now = sent.remove(run);
    if (now != null) {
      waitBook.forget(run);
    }
    return now;
  }

  void closeAll(Scope closing) {
    List<OwnedObject> open = closing.closeAll();
    if (!open.isEmpty()) {
      tell(new OwnerEvent.Released(open));
    }
  }

  // ---- waiting ----------------------------------------------------------------------------------

  /** Some code waits: it goes on at once, or when what it waits for is there. */
  void waits(RunKey run, Scope of, int nth, Step step) {
    WaitBook.Waiting waiting = new WaitBook.Waiting(run, nth, wanted(of, step), isAll(step));
    Sent now = sent.get(run);
    if (waiting.isReady()) {
      if (now == null) {
        driver.wake(wake(waiting));
      } else {
        sendIfUp(now.node(), wake(waiting));
      }
      return;
    }
    waitBook.add(waiting);
    if (now != null) {
      List<OwnedObject> on = waiting.all() ? waiting.objects() : List.of();
      tell(new OwnerEvent.Blocked(now.task(), now.attempt(), on));
      if (!waiting.all()) {
        after(Timing.WAIT_FOR_ONE, () -> waitedLongEnough(run, nth));
      }
    }
  }

  private static boolean isAll(Step step) {
    return !(step instanceof Step.Await await) || await.all() || await.refs().size() == 1;
  }

  /** A wait for one of several has a time limit: no circle is looked for behind it. */
  private void waitedLongEnough(RunKey run, int nth) {
    WaitBook.Waiting waiting = waitBook.take(run, nth);
    if (waiting != null) {
      waitIsOver(waiting, false);
    }
  }

  private List<OwnedObject> wanted(Scope of, Step step) {
    return switch (step) {
      case Step.Await await -> of.refs(await.refs());
      case Step.AwaitInside inside -> borrow(of, of.ref(inside.ref()));
      case Step.AwaitArguments _ -> {
        Task task = of.task();
        yield task == null ? List.of() : List.of(task.arguments());
      }
      default -> List.of();
    };
  }

  /** Whoever gets a value gets what the references inside of it name. */
  private List<OwnedObject> borrow(Scope of, @Nullable OwnedObject object) {
    List<OwnedObject> inside =
        switch (object == null ? null : object.outcome()) {
          case Outcome.Inline inline -> inline.contained();
          case Outcome.Stored stored -> stored.contained();
          case null, default -> List.of();
        };
    if (!inside.isEmpty()) {
      tell(new OwnerEvent.Retained(inside));
      of.borrow(inside);
    }
    return inside;
  }

  /** What some code waits for is there, or its wait is broken off. */
  void waitIsOver(WaitBook.Waiting waiting, boolean brokenOff) {
    Message.Wake wake =
        brokenOff ? new Message.Wake(waiting.run(), waiting.nth(), List.of(), true) : wake(waiting);
    Sent now = sent.get(waiting.run());
    if (now != null) {
      tell(new OwnerEvent.Unblocked(now.task(), now.attempt(), wake));
    } else if (waiting.run().equals(driverKey())) {
      driver.wake(wake);
    }
  }

  private static Message.Wake wake(WaitBook.Waiting waiting) {
    List<Value> values = new ArrayList<>();
    for (OwnedObject object : waiting.objects()) {
      if (object.outcome() != null) {
        values.add(valueOf(object));
      }
    }
    return new Message.Wake(waiting.run(), waiting.nth(), values, false);
  }

  static Value valueOf(OwnedObject object) {
    return switch (object.outcome()) {
      case Outcome.Inline inline ->
          new Value.Small(
              object.id(),
              (Long) inline.value(),
              inline.contained().stream().map(OwnedObject::id).toList());
      case Outcome.Stored stored -> new Value.Large(object.id(), stored.node());
      case Outcome.Failure failure -> new Value.Failed(object.id(), failure.kind());
      case null -> new Value.Gone(object.id());
    };
  }

  // ---- puts, cancellations, groups
  // ----------------------------------------------------------------

  /** Takes a value that some code put where {@code node} is; small ones live here. */
  void put(Scope of, Made made, @Nullable NodeId node) {
    OwnedObject object = new OwnedObject(made.id(), null, made.id());
    Outcome outcome = outcome(of, made, node);
    of.add(object);
    tell(new OwnerEvent.Put(object, outcome));
  }

  static Outcome outcome(Scope of, Made made, @Nullable NodeId node) {
    List<OwnedObject> contained = of.refs(made.contained());
    return made.large() && node != null
        ? new Outcome.Stored(made.content(), node, 2_000_000, contained)
        : new Outcome.Inline(made.content(), contained);
  }

  void driverPuts(Step.Put put) {
    ObjectId id = world().nextPut(number());
    List<Address> there = nodes.all();
    boolean large = put.large() && !there.isEmpty();
    Made made = new Made(id, large, Value.truth(id), put.contained());
    NodeId node = null;
    if (large) {
      Address address = there.get(world().random().nextInt(there.size()));
      node = nodes.at(address);
      sendIfUp(address, new Message.Keep(id, made.content()));
    }
    put(scope, made, node);
  }

  long ticket(Task task, boolean force) {
    tickets.put(tickets.size() + 1L, new Ticket(task, force));
    return tickets.size();
  }

  /** A cancellation has its answer; a forced one takes the result away if that is ignored. */
  void cancelAnswered(long number, boolean interrupted) {
    Ticket ticket = tickets.get(number);
    if (ticket != null && interrupted && ticket.force) {
      int attempt = ticket.task.machine().attempt();
      after(
          Timing.CANCEL_GRACE,
          () ->
              tell(
                  new OwnerEvent.GivenUp(ticket.task, attempt, "it ignored the interrupt", false)));
    }
  }

  /** Asks of the head what is to be asked about a group. */
  void ask(GroupBook.Known group) {
    Message request = group.request();
    if (request != null) {
      sendIfUp(Address.HEAD, request);
    }
  }

  void remove(GroupBook.Known group) {
    if (!group.toRemove) {
      group.toRemove = true;
      ask(group);
    }
  }

  /** Returns the present life of a node, or its first. */
  NodeId lifeOf(int index) {
    NodeId life = nodes.at(Address.node(index));
    return life == null ? new NodeId(index + 1L, 1) : life;
  }

  // ---- checks -----------------------------------------------------------------------------------

  @Override
  void validate() {
    machine.validate();
  }

  /** Returns what is left here that should not be when all is over; null for nothing. */
  @Nullable String leftover() {
    if (!over) {
      return address() + " has " + machine.liveCount() + " tasks, and its job is not over";
    }
    if (machine.liveCount() > 0 || machine.storedObjects() > 0 || machine.lineageBytes() > 0) {
      return address()
          + " has "
          + machine.liveCount()
          + " tasks, "
          + machine.storedObjects()
          + " stored objects, lineage of "
          + machine.lineageBytes()
          + " bytes";
    }
    return leases.isEmpty() && sent.isEmpty()
        ? null
        : address() + " has " + leases.keySet() + " and " + sent.values();
  }
}
