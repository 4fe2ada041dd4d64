package io.aktis.runtime.session;

import io.aktis.ActorDiedException;
import io.aktis.RuntimeEnvException;
import io.aktis.SessionClosedException;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.port.ClusterPort;
import io.aktis.runtime.port.KeeperProcess;
import io.aktis.wire.message.CreateGroup;
import io.aktis.wire.message.ForeignCreate;
import io.aktis.wire.message.Submit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes the detached actors and placement groups of this job: in a process of the cluster that owns
 * them, and lives as long as there are some. It is started with the first of them. Thread-safe;
 * callers wait.
 */
final class Keepers {
  private static final long START_TIMEOUT_MS = 60_000;
  private static final long LOOK_MS = 500;

  private final OwnerKernel kernel;
  private final ClusterPort port;
  private final ForeignActors actors;
  private final ForeignGroups groups;

  // Guarded by this.
  private @Nullable CompletableFuture<Long> keeper;
  private boolean closed;

  Keepers(OwnerKernel kernel, ClusterPort port, ForeignActors actors, ForeignGroups groups) {
    this.kernel = kernel;
    this.port = port;
    this.actors = actors;
    this.groups = groups;
  }

  /** Tells whether the cluster can run such a process. */
  boolean canKeep() {
    return port.canKeepActors();
  }

  /**
   * Makes a detached actor; returns it with one handle counted, {@code null} when its name is
   * taken.
   *
   * @throws IllegalArgumentException when its arguments cannot travel
   * @throws RuntimeEnvException when the process that is to own it cannot be started
   */
  @Nullable ActorEntry create(OwnerActors.Plan plan, Prepared code) {
    ForeignActors.problem(code)
        .ifPresent(problem -> {
          throw new IllegalArgumentException(problem);
        });
    awaitArguments(code);
    return atKeeper(owner -> create(owner, plan, code));
  }

  /**
   * Makes a detached placement group.
   *
   * @throws IllegalArgumentException when its name is taken
   * @throws RuntimeEnvException when the process that is to own it cannot be started
   */
  Group createGroup(CreateGroup create) {
    return atKeeper(owner -> groups.create(owner, create));
  }

  private <T extends @Nullable Object> T atKeeper(LongFunction<T> make) {
    while (true) {
      long owner = keeper();
      try {
        return make.apply(owner);
      } catch (ActorDiedException e) {
        if (!hasLost(owner)) {
          throw e;
        }
        Log.LOG.debug("The keeper of what is detached has ended with the last of it.", e);
      }
    }
  }

  private @Nullable ActorEntry create(long owner, OwnerActors.Plan plan, Prepared code) {
    ForeignCreate create =
        kernel.ask(() ->
            ForeignCreate.newBuilder()
                .setSpec(spec(plan, code))
                .addAllArguments(actors.arguments(owner, code))
                .build());
    return actors.create(owner, create);
  }

  private synchronized boolean hasLost(long owner) {
    return !isOf(keeper, owner);
  }

  private static boolean isOf(@Nullable CompletableFuture<Long> keeper, long owner) {
    return keeper != null
        && keeper.isDone()
        && !keeper.isCompletedExceptionally()
        && keeper.join() == owner;
  }

  private void awaitArguments(Prepared code) {
    Waits waits = kernel.session().waits();
    for (OwnedObject object : code.objects()) {
      Cell cell = kernel.ask(() -> Shell.cellOf(object));
      waits.whileLending(
          waits.currentRun(), () -> List.of(object), () -> cell.await(Long.MAX_VALUE));
      if (cell.outcome() instanceof Outcome.Failure failure) {
        throw waits.exception(failure);
      }
    }
  }

  private Submit.Builder spec(OwnerActors.Plan plan, Prepared code) {
    return Submit.newBuilder()
        .setTask(WireIds.of(kernel.nextId()))
        .setName(plan.shown())
        .setGivenName(plan.name())
        .setNamespace(plan.namespace())
        .setActorOptions(kernel.wireOptions().message(plan.options()))
        .setOptions(kernel.wireOptions().bytes(plan.settings().options()))
        .setFunction(kernel.wire().bytes(code.function()));
  }

  // ---- the process ----------------------------------------------------------------------------

  private long keeper() {
    return kernel.session().waits().answer(found());
  }

  private synchronized CompletableFuture<Long> found() {
    if (closed) {
      throw new SessionClosedException("Session " + kernel.sessionId() + " is closed.");
    }
    CompletableFuture<Long> there = keeper;
    if (there == null || there.isCompletedExceptionally()) {
      CompletableFuture<Long> fresh = new CompletableFuture<>();
      keeper = fresh;
      kernel.crew().executeVirtual(() -> start(fresh));
      return fresh;
    }
    return there;
  }

  private void start(CompletableFuture<Long> fresh) {
    try {
      KeeperProcess process = port.startKeeper(kernel.session().namespace());
      long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_TIMEOUT_MS);
      while (!arrived(fresh)) {
        String end = process.end();
        if (!end.isEmpty() || System.nanoTime() - deadlineNanos > 0) {
          throw new RuntimeEnvException(
              "The process that is to own what of this job is detached "
                  + (end.isEmpty() ? "has not come up within a minute." : "has ended: " + end));
        }
      }
    } catch (InterruptedException e) {
      fresh.completeExceptionally(
          new SessionClosedException("Session " + kernel.sessionId() + " is closed."));
    } catch (RuntimeException e) {
      fresh.completeExceptionally(e);
    }
  }

  private static boolean arrived(CompletableFuture<Long> fresh) throws InterruptedException {
    try {
      fresh.get(LOOK_MS, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      return true; // whoever waits for it is told
    }
  }

  /** A process says that it keeps actors for this job. */
  synchronized void found(long owner) {
    CompletableFuture<Long> waiting = keeper;
    if (waiting != null) {
      waiting.complete(owner);
    }
  }

  /** Another job is gone; when it was the keeper, the next actor needs a new one. */
  synchronized void lost(long owner, boolean ended) {
    if (ended && isOf(keeper, owner)) {
      keeper = null;
    }
  }

  synchronized void close() {
    closed = true;
    if (keeper != null) {
      keeper.completeExceptionally(
          new SessionClosedException("Session " + kernel.sessionId() + " is closed."));
    }
  }
}
