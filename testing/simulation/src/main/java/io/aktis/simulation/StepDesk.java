package io.aktis.simulation;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.core.owner.ShapeKey;
import io.aktis.core.owner.Task;
import io.aktis.core.owner.TaskKind;
import io.aktis.core.resource.Demand;
import io.aktis.core.resource.LabelSelector;
import io.aktis.core.resource.Resources;
import io.aktis.core.schedule.Strategy;
import java.util.List;
import java.util.Objects;

/** Does in the name of some code what it asked of the engine. */
final class StepDesk {
  private final OwnerProcess owner;

  StepDesk(OwnerProcess owner) {
    this.owner = owner;
  }

  void perform(Scope scope, Step step) {
    switch (step) {
      case Step.Spawn spawn -> spawn(scope, spawn.task());
      case Step.Call call -> call(scope, call);
      case Step.Drop drop -> {
        OwnedObject object = scope.close(drop.ref());
        if (object != null) {
          owner.tell(new OwnerEvent.Released(List.of(object)));
        }
      }
      case Step.Cancel cancel -> cancel(scope, cancel);
      case Step.NewActor made -> newActor(scope, made.actor());
      case Step.ReleaseActor release -> {
        Actor actor = owner.actors().get(release.actor());
        if (actor != null) {
          owner.tell(new OwnerEvent.ActorReleased(actor));
        }
      }
      case Step.KillActor kill -> {
        Actor actor = owner.actors().get(kill.actor());
        if (actor != null) {
          owner.tell(new OwnerEvent.ActorKilled(actor, "killed by its driver"));
        }
      }
      case Step.NewGroup group -> owner.ask(owner.groups().create(group));
      case Step.RemoveGroup remove -> {
        GroupBook.Known group = owner.groups().get(remove.group());
        if (group != null) {
          owner.remove(group);
        }
      }
      default -> throw new Violation("no step for an owner: " + step);
    }
  }

  private void spawn(Scope scope, TaskSpec spec) {
    Task task =
        new Task.Builder(owner.nextId(), TaskKind.TASK, spec.name(), scope.task())
            .shape(owner.machine().shape(shape(spec.needs())))
            .payload(new Code(spec.script(), spec.needs().milliCpus()))
            .build(spec.maxRetries());
    submit(scope, spec, task);
  }

  private void call(Scope scope, Step.Call step) {
    Actor actor = Objects.requireNonNull(owner.actors().get(step.actor()));
    TaskSpec spec = step.call();
    Task call =
        new Task.Builder(owner.nextId(), TaskKind.CALL, spec.name(), scope.task())
            .actor(actor)
            .payload(new Code(spec.script(), owner.actors().milliCpus(actor)))
            .build(spec.maxRetries());
    submit(scope, spec, call);
  }

  private void submit(Scope scope, TaskSpec spec, Task task) {
    for (OwnedObject result : owner.results(task, spec.script().results().size())) {
      scope.add(result);
    }
    task.arguments(scope.refs(spec.args()).toArray(OwnedObject[]::new));
    owner.submit(task, spec.maxRetries(), scope.caller(), spec.timeoutMs());
  }

  private void newActor(Scope scope, ActorSpec spec) {
    ActorId id = new ActorId(owner.number(), owner.actors().all().size() + 1L);
    Actor actor = new Actor(id, spec.name(), spec.ordered(), spec.maxRestarts());
    List<OwnedObject> arguments = scope.refs(spec.args());
    owner.actors().add(actor, spec, arguments);
    owner.tell(new OwnerEvent.Retained(arguments));
    Task creation =
        new Task.Builder(owner.nextId(), TaskKind.CREATION, "new " + spec.name(), scope.task())
            .shape(owner.machine().shape(shape(spec.needs())))
            .actor(actor)
            .payload(new Code(spec.constructor(), spec.needs().milliCpus()))
            .build(Integer.MAX_VALUE);
    for (OwnedObject result : owner.results(creation, 1)) {
      owner.adopt(result); // its handle.ready() belongs to the driver, whoever made the actor
    }
    creation.arguments(arguments.toArray(OwnedObject[]::new));
    owner.submit(creation, Witness.ANY_NUMBER, scope.caller(), 0);
  }

  private void cancel(Scope scope, Step.Cancel step) {
    OwnedObject object = scope.ref(step.ref());
    Task task = object == null ? null : object.producer();
    if (task != null) {
      long ticket = owner.ticket(task, step.force());
      owner.tell(new OwnerEvent.CancelAsked(task, step.children(), "somebody asked", ticket));
    }
  }

  private ShapeKey shape(Needs needs) {
    Demand demand =
        needs.placeOnly() ? Demand.ACTOR : Demand.of(Resources.cpus(needs.milliCpus() / 1_000.0));
    GroupId group = new GroupId(owner.number(), needs.number() + 1L);
    BundleId bundle = new BundleId(group, needs.bundle());
    return switch (needs.where()) {
      case ANY -> new ShapeKey(demand, Strategy.DEFAULT, LabelSelector.ANY, null);
      case SPREAD -> new ShapeKey(demand, Strategy.SPREAD, LabelSelector.ANY, null);
      case ON_NODE_IF_THERE ->
          new ShapeKey(
              demand,
              new Strategy.OnNode(owner.lifeOf(needs.number()), true),
              LabelSelector.ANY,
              null);
      case ON_ZONE ->
          new ShapeKey(
              demand,
              Strategy.DEFAULT,
              LabelSelector.all(LabelSelector.Term.in("zone", "zone" + needs.number())),
              null);
      case IN_GROUP ->
          new ShapeKey(demand, new Strategy.InGroup(bundle), LabelSelector.ANY, bundle);
    };
  }
}
