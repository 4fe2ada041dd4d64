package io.aktis.runtime.session;

import com.google.protobuf.ByteString;
import io.aktis.ActorHandle;
import io.aktis.ActorOptions;
import io.aktis.CallOptions;
import io.aktis.core.id.ActorId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.runtime.form.WireIds;
import io.aktis.spi.Work;
import io.aktis.wire.message.ActorDescription;
import io.aktis.wire.message.ActorHandles;
import io.aktis.wire.message.ActorPart;
import io.aktis.wire.message.FindActor;
import io.aktis.wire.message.ForeignCall;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.Question;
import io.aktis.wire.message.SaveCheckpoint;
import io.aktis.wire.message.Submit;
import io.aktis.wire.message.WorkerToOwner;
import io.aktis.wire.value.HandleId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The actors of a job as code in a worker uses them. The owner has the truth about each; here is
 * what was heard of those that this process has handles on, or runs. Thread-safe.
 */
final class WorkerActors implements ActorDoor {
  /** Actors that allow more pending calls than that are not asked about each call. */
  static final int MANY_PENDING_CALLS = 10_000;

  private record Hosted(String givenName, @Nullable Object checkpoint) {}

  private final WorkerKernel kernel;
  private final Map<ActorId, ActorEntry> entries = new ConcurrentHashMap<>();
  private final Map<ActorId, Hosted> hosted = new ConcurrentHashMap<>();

  WorkerActors(WorkerKernel kernel) {
    this.kernel = kernel;
  }

  // ---- callers --------------------------------------------------------------------------------

  @Override
  public <A> ActorHandle<A> create(Work work, ActorOptions options, boolean getOrCreate) {
    kernel.session().checkOpen();
    Run parent = kernel.session().waits().currentRun();
    CallOptions shared = SessionEngine.inherited(work.options(), parent);
    String name = shared.name() == null ? "" : shared.name();
    OwnerActors.checkName(options, name, getOrCreate);
    Encoder encoder = kernel.session().engine().encode(work, parent);
    Call.Request request =
        new Call.Request(
            1,
            null,
            null,
            List.of(),
            "",
            false,
            kernel.settings(shared, true),
            null,
            encoder.borrowed(),
            encoder.handles());
    Call call = new Call(encoder.function(), encoder.args(), request);
    Submit.Builder submit =
        kernel
            .reports()
            .submission(call)
            .setTask(WireIds.of(kernel.nextId()))
            .setName(name.isEmpty() ? CodeNames.of(work.function()) : name)
            .setGivenName(name)
            .setNamespace(
                options.namespace() == null ? kernel.session().namespace() : options.namespace())
            .setActorOptions(kernel.options().message(options))
            .setGetOrCreate(getOrCreate);
    kernel.reports().addArguments(submit, call, encoder.objects());
    try {
      Handle<A> handle = handle(ask(parent, Question.newBuilder().setCreateActor(submit)));
      return RunScope.borrowed(handle);
    } finally {
      kernel.reports().letGo(call);
      encoder.releaseStored();
    }
  }

  @Override
  public <A> ActorHandle<A> find(Class<A> type, String name, String namespace) {
    Objects.requireNonNull(type, "the class must not be null");
    Objects.requireNonNull(name, "the name must not be null");
    Objects.requireNonNull(namespace, "the namespace must not be null");
    FindActor find = FindActor.newBuilder().setName(name).setNamespace(namespace).build();
    Handle<A> handle =
        handle(
            ask(kernel.session().waits().currentRun(), Question.newBuilder().setFindActor(find)));
    return RunScope.borrowed(handle);
  }

  private ActorDescription ask(@Nullable Run run, Question.Builder question) {
    return kernel.questions().askLending(run, question).getActor();
  }

  /** Returns a handle on an actor that arrived inside a value. */
  Handle<?> handle(HandleId id) {
    ActorId actor = new ActorId(id.high(), id.low());
    ActorEntry known = entries.get(actor);
    if (known != null && known.acquire()) {
      return RunScope.borrowed(new Handle<>(kernel, known));
    }
    ActorDescription description =
        kernel
            .questions()
            .ask(Question.newBuilder().setDescribeActor(WireIds.of(actor)))
            .getActor();
    return RunScope.borrowed(handle(description));
  }

  /** Makes a handle; the owner counts one for all handles of this process. */
  private <A> Handle<A> handle(ActorDescription description) {
    ActorId id = WireIds.actor(description.getActor());
    while (true) {
      ActorEntry known = entries.get(id);
      if (known != null && known.acquire()) {
        giveBack(id); // the owner has counted one more for its answer
        return new Handle<>(kernel, known);
      }
      ActorEntry fresh = entry(id, description);
      boolean entered =
          known == null
              ? entries.putIfAbsent(id, fresh) == null
              : entries.replace(id, known, fresh);
      if (entered) {
        return new Handle<>(kernel, fresh);
      }
    }
  }

  private void giveBack(ActorId id) {
    kernel.send(
        WorkerToOwner.newBuilder()
            .setActorHandles(ActorHandles.newBuilder().setActor(WireIds.of(id)).setCount(-1)));
  }

  private ActorEntry entry(ActorId id, ActorDescription description) {
    ActorOptions options = kernel.options().options(description.getOptions());
    Actor actor = new Actor(id, description.getName(), description.getOrdered(), 0);
    Settings settings = kernel.settings().of(description.getCallOptions(), true);
    ActorEntry entry =
        new ActorEntry(
            actor, description.getGivenName(), description.getNamespace(), options, settings);
    entry.ready(kernel.cells().cell(WireIds.object(description.getReady())));
    return entry;
  }

  /** The last handle of this process is gone. */
  void forget(ActorId id) {
    ActorEntry entry = entries.get(id);
    if (entry != null && !entry.isHeld()) {
      entries.remove(id, entry);
    }
  }

  @Override
  public void released(ActorEntry entry) {
    kernel.post(new OwnerEvent.ActorReleased(entry.actor()));
  }

  @Override
  public Cell callForeign(ActorEntry entry, ForeignCall.Builder call, Prepared code) {
    throw new IllegalStateException("for a worker, all actors are those of its owner");
  }

  @Override
  public void kill(ActorEntry entry) {
    ask(entry, (question, id) -> question.setKillActor(id));
  }

  @Override
  public void lose(ActorEntry entry) {
    ask(entry, (question, id) -> question.setLoseActor(id));
  }

  private interface About {
    Question.Builder ask(Question.Builder question, Id actor);
  }

  private boolean ask(ActorEntry entry, About about) {
    return kernel
        .questions()
        .askLending(
            kernel.session().waits().currentRun(),
            about.ask(Question.newBuilder(), WireIds.of(entry.actor().id())))
        .getYes();
  }

  @Override
  public boolean takeRoom(ActorEntry entry, @Nullable Run caller) {
    int limit = entry.options().maxPendingCalls();
    return limit == 0
        || limit > MANY_PENDING_CALLS
        || ask(entry, (question, id) -> question.setCallRoom(id));
  }

  // ---- actors themselves ----------------------------------------------------------------------

  /** A life of an actor begins in this process. */
  void began(ActorPart part, Actor actor) {
    ByteString checkpoint = part.getCheckpoint();
    hosted.put(
        actor.id(),
        new Hosted(
            part.getGivenName(), checkpoint.isEmpty() ? null : kernel.outcomes().kept(checkpoint)));
  }

  void ended(ActorId id) {
    hosted.remove(id);
  }

  @Override
  public Optional<String> nameOf(Actor actor) {
    Hosted here = hosted.get(actor.id());
    return here == null || here.givenName.isEmpty()
        ? Optional.empty()
        : Optional.of(here.givenName);
  }

  @Override
  public void saveCheckpoint(Actor actor, Object state) {
    Object kept = kernel.values().kept(kernel.values().encode(state));
    kernel
        .questions()
        .ask(
            Question.newBuilder()
                .setSaveCheckpoint(
                    SaveCheckpoint.newBuilder()
                        .setActor(WireIds.of(actor.id()))
                        .setState(kernel.outcomes().bytes(kept))));
    hosted.computeIfPresent(actor.id(), (id, here) -> new Hosted(here.givenName, kept));
  }

  @Override
  public Optional<Object> checkpoint(Actor actor) {
    Hosted here = hosted.get(actor.id());
    return here == null || here.checkpoint == null
        ? Optional.empty()
        : Optional.ofNullable(kernel.values().readKept(here.checkpoint));
  }
}
