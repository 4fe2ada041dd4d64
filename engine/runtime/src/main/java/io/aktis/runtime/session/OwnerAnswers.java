package io.aktis.runtime.session;

import io.aktis.CancelOptions;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.Task;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.Answer;
import io.aktis.wire.message.Cancel;
import io.aktis.wire.message.CreateGroup;
import io.aktis.wire.message.FindActor;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.OwnerToWorker;
import io.aktis.wire.message.Question;
import io.aktis.wire.message.SaveCheckpoint;
import io.aktis.wire.message.StreamRoom;
import io.aktis.wire.message.Submit;
import io.aktis.wire.message.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions of one worker. What can be answered at once is answered on the loop; what
 * has to wait, on a virtual thread of its own.
 */
final class OwnerAnswers {
  private final OwnerKernel kernel;
  private final OwnerDesk desk;
  private final RemoteWorker worker;

  OwnerAnswers(OwnerKernel kernel, OwnerDesk desk, RemoteWorker worker) {
    this.kernel = kernel;
    this.desk = desk;
    this.worker = worker;
  }

  /** Makes the answer to a question. */
  private interface Reply {
    Answer.Builder make() throws Exception;
  }

  /** Answers, now or later. On the loop. */
  void answer(Question question) {
    long number = question.getNumber();
    switch (question.getWhatCase()) {
      case WHY -> now(number, () -> text(why(question.getWhy())));
      case ATTEMPTS -> now(number, () -> count(attempts(question.getAttempts())));
      case HANDLED -> now(number, () -> yes(true));
      case DESCRIBE_ACTOR -> now(number, () -> described(question.getDescribeActor()));
      case STREAM_CLOSE -> now(number, () -> streamClose(question.getStreamClose()));
      case DESCRIBE_GROUP -> now(number, () -> described(group(question.getDescribeGroup())));
      case GROUP_NODES -> later(number, () -> nodes(group(question.getGroupNodes())));
      case SAVE_CHECKPOINT -> now(number, () -> save(question.getSaveCheckpoint()));
      case CLUSTER ->
          later(
              number, () -> Answer.newBuilder().setCluster(WireCluster.message(kernel.cluster())));
      case FIND_GROUP ->
          later(
              number,
              () -> {
                Group group = kernel.groups().find(question.getFindGroup());
                return kernel.ask(() -> described(group));
              });
      case FIND_ACTOR -> later(number, () -> find(question.getFindActor()));
      case CREATE_GROUP -> later(number, () -> create(question.getCreateGroup()));
      case CREATE_ACTOR -> create(number, question.getCreateActor());
      case CANCEL -> later(number, () -> cancel(question.getCancel()));
      case KILL_ACTOR -> later(number, () -> kill(question.getKillActor()));
      case LOSE_ACTOR -> later(number, () -> lose(question.getLoseActor()));
      case CALL_ROOM -> later(number, () -> yes(room(question.getCallRoom())));
      case REMOVE_GROUP -> later(number, () -> remove(question.getRemoveGroup()));
      case STREAM_ROOM -> streamRoom(number, question.getStreamRoom());
      case STREAM_NEXT -> streamNext(number, question.getStreamNext());
      case WHAT_NOT_SET -> now(number, () -> text(""));
    }
  }

  private void now(long number, Reply reply) {
    send(number, made(reply));
  }

  private void later(long number, Reply reply) {
    kernel.crew().executeVirtual(() -> send(number, made(reply)));
  }

  private void send(long number, Answer.Builder answer) {
    worker.send(OwnerToWorker.newBuilder().setAnswer(answer.setNumber(number)));
  }

  private static Answer.Builder made(Reply reply) {
    try {
      return reply.make();
    } catch (Exception e) {
      return Answer.newBuilder().setFailure(Refusals.message(e));
    }
  }

  private static Answer.Builder text(String text) {
    return Answer.newBuilder().setText(text);
  }

  private static Answer.Builder count(long count) {
    return Answer.newBuilder().setCount(count);
  }

  private static Answer.Builder yes(boolean yes) {
    return Answer.newBuilder().setYes(yes);
  }

  // ---- tasks ----------------------------------------------------------------------------------

  private @Nullable Task producer(Id object) {
    OwnedObject found = kernel.exports().find(WireIds.object(object));
    return found == null ? null : found.producer();
  }

  private String why(Id object) {
    Task producer = producer(object);
    return producer == null ? kernel.whyPut(WireIds.object(object)) : kernel.owner().why(producer);
  }

  private int attempts(Id object) {
    Task producer = producer(object);
    return producer == null ? 0 : producer.machine().starts();
  }

  private Answer.Builder cancel(Cancel cancel) {
    Optional<Cell> cell =
        kernel.ask(() ->
            Optional.ofNullable(kernel.exports().find(WireIds.object(cancel.getObject())))
                .map(Shell::cellOf));
    if (cell.isEmpty()) {
      return text(io.aktis.CancelResult.ALREADY_DONE.name());
    }
    CancelOptions options =
        new CancelOptions(
            cancel.getForce(), Duration.ofMillis(cancel.getGraceMs()), cancel.getChildren());
    return text(kernel.cancel(cell.get(), options).name());
  }

  // ---- actors ---------------------------------------------------------------------------------

  private ActorEntry entry(Id id) {
    ActorEntry entry = kernel.directory().known(WireIds.actor(id));
    if (entry == null) {
      throw new IllegalArgumentException("nobody holds actor " + WireIds.actor(id));
    }
    return entry;
  }

  /** Describes an actor, on which the worker holds one handle more from now on. */
  private Answer.Builder described(ActorEntry entry) {
    worker.holdsActor(entry);
    OwnedObject ready = entry.ready().object();
    kernel.exports().add(ready);
    return Answer.newBuilder().setActor(kernel.actors().description(entry));
  }

  private Answer.Builder described(Id id) {
    ActorEntry entry = entry(id);
    entry.acquireEvenIfGone();
    return described(entry);
  }

  private Answer.Builder find(FindActor find) {
    ActorEntry entry = kernel.actors().find(find.getName(), find.getNamespace());
    return kernel.ask(() -> described(entry));
  }

  private void create(long number, Submit submit) {
    Prepared code = desk.prepared(submit);
    kernel.follow(new OwnerEvent.Retained(code.borrowed()));
    Task parent = desk.parent(submit);
    later(
        number,
        () -> {
          ActorEntry entry = created(submit, code, parent);
          return kernel.ask(() -> described(entry));
        });
  }

  private ActorEntry created(Submit submit, Prepared code, @Nullable Task parent) {
    if (submit.getGetOrCreate()) {
      ActorEntry there = kernel.actors().existing(submit.getNamespace(), submit.getGivenName());
      if (there != null) {
        letGo(code);
        return there;
      }
    }
    OwnerActors.Plan plan = kernel.actors().plan(submit);
    Actor maker = parent == null ? null : parent.actor();
    ActorEntry entry =
        kernel
            .actors()
            .make(plan, WireIds.task(submit.getTask()), code, new OwnerActors.Maker(parent, maker));
    if (entry != null) {
      return entry;
    }
    if (!submit.getGetOrCreate()) {
      letGo(code);
    }
    return OwnerActors.nameTaken(
        plan, () -> created(submit, code, parent), submit.getGetOrCreate());
  }

  private void letGo(Prepared code) {
    kernel.post(new OwnerEvent.Released(code.borrowed()));
    code.handles().forEach(Handle::close);
  }

  private Answer.Builder kill(Id id) {
    kernel.actors().kill(entry(id));
    return yes(true);
  }

  private Answer.Builder lose(Id id) {
    kernel.actors().lose(entry(id));
    return yes(true);
  }

  private boolean room(Id id) {
    return kernel.actors().takeRoom(entry(id), null);
  }

  private Answer.Builder save(SaveCheckpoint save) {
    kernel
        .directory()
        .keepCheckpoint(WireIds.actor(save.getActor()), kernel.wire().kept(save.getState()));
    return yes(true);
  }

  // ---- groups ---------------------------------------------------------------------------------

  private Group group(Id id) {
    return kernel.groups().find(WireIds.group(id));
  }

  private Answer.Builder described(Group group) {
    kernel.exports().add(group.readyCell().object());
    return Answer.newBuilder().setGroup(group.description());
  }

  private Answer.Builder nodes(Group group) {
    return Answer.newBuilder()
        .setTexts(Texts.newBuilder().addAllTexts(kernel.groups().nodeIds(group)));
  }

  private Answer.Builder create(CreateGroup create) {
    Group group = kernel.groups().create(create, create.getDetached());
    return kernel.ask(() -> described(group));
  }

  private Answer.Builder remove(Id id) {
    Group group = kernel.groups().known(WireIds.group(id));
    if (group != null) {
      kernel.groups().remove(group);
    }
    return yes(true);
  }

  // ---- streams --------------------------------------------------------------------------------

  private void streamRoom(long number, StreamRoom question) {
    RemoteRun run = worker.run(RunKey.of(question.getRun()));
    StreamBuffer stream = run == null ? null : OwnerDesk.stream(run);
    if (run == null || stream == null) {
      now(number, () -> yes(false));
      return;
    }
    if (question.getIndex() == 0) {
      stream.begin(run);
    }
    later(number, () -> yes(stream.awaitRoomFor(run, question.getIndex())));
  }

  private void streamNext(long number, Id completion) {
    StreamEnd stream = worker.stream(WireIds.object(completion));
    if (stream == null) {
      now(number, Answer::newBuilder);
      return;
    }
    kernel
        .crew()
        .executeVirtual(() -> {
          Cell cell = stream.next();
          kernel.onLoop(() -> give(number, cell));
        });
  }

  /**
   * The reference that the stream had passes to the worker; its outcome is told after the answer.
   */
  private void give(long number, @Nullable Cell cell) {
    if (cell == null) {
      now(number, Answer::newBuilder);
    } else if (worker.isGone()) {
      kernel.follow(new OwnerEvent.Released(List.of(cell.object())));
    } else {
      OwnedObject object = cell.object();
      now(number, () -> Answer.newBuilder().setObject(WireIds.of(object.id())));
      worker.holds(object);
    }
  }

  private Answer.Builder streamClose(Id completion) {
    StreamEnd stream = worker.stream(WireIds.object(completion));
    return yes(stream != null && stream.close());
  }
}
