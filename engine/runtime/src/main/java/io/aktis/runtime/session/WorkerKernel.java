package io.aktis.runtime.session;

import io.aktis.CallOptions;
import io.aktis.CancelOptions;
import io.aktis.CancelResult;
import io.aktis.ClusterInfo;
import io.aktis.RuntimeEnv;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.LeaseGrant;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.loop.Crew;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StorePort;
import io.aktis.spi.Work;
import io.aktis.wire.message.ActorGone;
import io.aktis.wire.message.Cancel;
import io.aktis.wire.message.NeedIds;
import io.aktis.wire.message.OwnerHello;
import io.aktis.wire.message.Question;
import io.aktis.wire.message.WorkerToOwner;
import io.aktis.wire.value.HandleHooks;
import io.aktis.wire.value.HandleId;
import io.aktis.wire.value.ValueCodec;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The inside of a session in a worker process: what code here does is told to the owner, and what
 * the owner says is passed on to those who wait. It decides nothing. Thread-safe.
 */
final class WorkerKernel implements Kernel {
  private static final int PLATFORM_THREADS = 256;

  private final Session session;
  private final WorkerParts parts;
  private final OwnerHello hello;
  private final RuntimeEnv runtimeEnv;
  private final Crew crew;
  private final Values values;
  private final IdSource ids;
  private final WorkerCells cells;
  private final WireOptions options;
  private final WireOutcomes outcomes;
  private final WorkerReports reports;
  private final WorkerDesk desk;
  private final Questions questions;
  private final WorkerActors actors;
  private final WorkerGroups groups;
  private final WorkerSettings settings;
  private final LocalTasks localTasks;

  WorkerKernel(Session session, WorkerParts parts) {
    this.session = session;
    this.parts = parts;
    this.hello = parts.hello();
    this.runtimeEnv = WireOptions.environment(hello.getEnv());
    HandleHooks hooks = new Handles(this);
    this.values = new Values(this, ValueCodec.of(parts.loader(), hooks, segment -> false));
    this.crew = new Crew("aktis-worker", PLATFORM_THREADS, parts.loader());
    this.ids =
        new IdSource(
            hello.getOwner(),
            () -> send(WorkerToOwner.newBuilder().setNeedIds(NeedIds.getDefaultInstance())));
    ids.add(hello.getIds().getFirst(), hello.getIds().getCount());
    this.cells = new WorkerCells(this, new Admission(Math.toIntExact(hello.getMaxPendingTasks())));
    this.questions = new Questions(this);
    this.groups = new WorkerGroups(this);
    this.options = new WireOptions(values, parts.loader(), groups::of);
    this.outcomes = new WireOutcomes(values, cells::token);
    this.settings = new WorkerSettings(options);
    this.actors = new WorkerActors(this);
    this.reports = new WorkerReports(this);
    this.desk = new WorkerDesk(this);
    this.localTasks = new LocalTasks(this);
  }

  @Override
  public Session session() {
    return session;
  }

  @Override
  public String sessionId() {
    return hello.getSessionId();
  }

  @Override
  public long ownerNumber() {
    return hello.getOwner();
  }

  @Override
  public RuntimeEnv runtimeEnv() {
    return runtimeEnv;
  }

  @Override
  public Crew crew() {
    return crew;
  }

  @Override
  public Values values() {
    return values;
  }

  @Override
  public Admission admission() {
    return cells.admission();
  }

  @Override
  public TaskId nextId() {
    return ids.next();
  }

  @Override
  public boolean sharesValues() {
    return false;
  }

  IdSource ids() {
    return ids;
  }

  WorkerParts parts() {
    return parts;
  }

  WorkerCells cells() {
    return cells;
  }

  WireOptions options() {
    return options;
  }

  WireOutcomes outcomes() {
    return outcomes;
  }

  Questions questions() {
    return questions;
  }

  WorkerReports reports() {
    return reports;
  }

  WorkerDesk desk() {
    return desk;
  }

  WorkerSettings settings() {
    return settings;
  }

  @Override
  public WorkerActors actors() {
    return actors;
  }

  @Override
  public WorkerGroups groupDoor() {
    return groups;
  }

  @Override
  public StreamEnd newStream(int limit) {
    return new WorkerStream(this, limit);
  }

  @Override
  public Object handle(HandleId id) {
    return switch (id.kind()) {
      case Handles.ACTOR -> actors.handle(id);
      case Handles.GROUP -> groups.of(id);
      default -> throw new IllegalArgumentException("unknown kind of handle " + id);
    };
  }

  @Override
  public Cell startLocal(Work work) {
    return localTasks.start(work);
  }

  @Override
  public <T extends @Nullable Object> T waitLocally(Waits.BlockingCall<T> wait)
      throws InterruptedException {
    return localTasks.lending(wait);
  }

  // ---- events ---------------------------------------------------------------------------------

  /** Sends a message to the owner. Any thread. */
  void send(WorkerToOwner.Builder message) {
    parts.toOwner().accept(message.build());
  }

  @Override
  public void post(OwnerEvent event) {
    reports.report(event);
  }

  @Override
  public boolean postAndRun(OwnerEvent event) {
    reports.report(event);
    return false;
  }

  @Override
  public void startLater(Runnable work) {
    desk.startLater(work);
  }

  @Override
  public void starts(long number) {
    parts.journal().accept(number);
  }

  @Override
  public void actorGone(LeaseGrant lease) {
    send(
        WorkerToOwner.newBuilder()
            .setActorGone(ActorGone.newBuilder().setLease(WireIds.of(lease.id()))));
  }

  // ---- stores ---------------------------------------------------------------------------------

  @Override
  public Place place(@Nullable Run run) {
    return parts.place();
  }

  @Override
  public StorePort storeFor(Location at) {
    return parts.place().store();
  }

  @Override
  public SortedMap<String, String> labels(NodeId node) {
    return parts.labels();
  }

  // ---- questions ------------------------------------------------------------------------------

  @Override
  public String why(Task task) {
    return questions.ask(Question.newBuilder().setWhy(object(task))).getText();
  }

  @Override
  public String whyPut(ObjectId object) {
    return questions.ask(Question.newBuilder().setWhy(WireIds.of(object))).getText();
  }

  @Override
  public List<String> story(Task task) {
    return List.of(why(task));
  }

  @Override
  public int attempts(Task task) {
    return (int) questions.ask(Question.newBuilder().setAttempts(object(task))).getCount();
  }

  private static io.aktis.wire.message.Id object(Task task) {
    ObjectId first = task.id().result(0);
    return WireIds.of(first);
  }

  @Override
  public void awaitHandled() {
    questions.ask(Question.newBuilder().setHandled(true));
  }

  @Override
  public CancelResult cancel(Cell cell, CancelOptions how) {
    if (localTasks.interrupt(cell)) {
      return CancelResult.INTERRUPTED;
    }
    Cancel question =
        Cancel.newBuilder()
            .setObject(WireIds.of(cell.object().id()))
            .setForce(how.force())
            .setChildren(how.children())
            .setGraceMs(how.grace().toMillis())
            .build();
    String answer =
        questions
            .askLending(session.waits().currentRun(), Question.newBuilder().setCancel(question))
            .getText();
    return CancelResult.valueOf(answer);
  }

  @Override
  public Settings settings(CallOptions chosen, boolean creation) {
    return settings.of(chosen, creation);
  }

  @Override
  public ClusterInfo cluster() {
    return WireCluster.cluster(questions.ask(Question.newBuilder().setCluster(true)).getCluster());
  }

  // ---- the end --------------------------------------------------------------------------------

  @Override
  public boolean end(long threadsTimeoutMs) {
    questions.close();
    desk.abandonAll();
    crew.close();
    boolean interrupted = false;
    try {
      if (!crew.awaitEnd(threadsTimeoutMs)) {
        Log.LOG.warn("{} threads of the worker ignore their interrupt.", crew.threadCount());
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    values.codec().close();
    return interrupted;
  }
}
