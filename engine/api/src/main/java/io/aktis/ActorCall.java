package io.aktis;

import io.aktis.function.TaskAction1;
import io.aktis.spi.Engine;
import io.aktis.spi.Work;

/**
 * An actor before it is created. Immutable: option methods return changed copies.
 *
 * <p>An actor takes 1 CPU to be placed and 0 while it lives, unless {@link #cpus} says a number:
 * then it holds that.
 *
 * @param <T> class of the actor
 */
public final class ActorCall<T> implements WorkOptions<ActorCall<T>> {
  private final Engine engine;
  private final Work work;
  private final ActorOptions actor;

  ActorCall(Engine engine, Work work) {
    this(engine, work, ActorOptions.DEFAULTS);
  }

  private ActorCall(Engine engine, Work work, ActorOptions actor) {
    this.engine = engine;
    this.work = work;
    this.actor = actor;
  }

  @Override
  public CallOptions options() {
    return work.options();
  }

  @Override
  public ActorCall<T> options(CallOptions options) {
    return new ActorCall<>(engine, work.withOptions(options), actor);
  }

  /** Names the actor; the name is unique in the namespace while the actor lives. */
  public ActorCall<T> named(String name) {
    return options(options().withName(name));
  }

  /** Sets the namespace of the name [the session's]. */
  public ActorCall<T> namespace(String namespace) {
    return with(actor.draft().namespace(Checks.text(namespace, "the namespace")));
  }

  /** Sets how often the actor is made again, elsewhere, when its process or node is lost [0]. */
  public ActorCall<T> maxRestarts(int restarts) {
    return with(actor.draft().maxRestarts(restarts));
  }

  /** Sets how often a call is delivered again that was in flight when the actor was lost [0]. */
  public ActorCall<T> maxTaskRetries(int retries) {
    return with(actor.draft().maxTaskRetries(retries));
  }

  /**
   * Sets how many calls run at a time [1]. With 1, calls of one caller run in the order they were
   * made; with more, a call starts when its arguments and a place are there, on virtual threads.
   */
  public ActorCall<T> maxConcurrency(int calls) {
    return with(actor.draft().maxConcurrency(calls));
  }

  /**
   * Sets groups of calls with limits of their own; calls choose with {@link ActorHandle#in}. An
   * actor with groups keeps no order, also among calls outside of them.
   */
  public ActorCall<T> groups(ConcurrencyGroups groups) {
    return with(actor.draft().groups(Checks.notNull(groups, "the groups")));
  }

  /** Sets how long the actor lives [the job]. */
  public ActorCall<T> lifetime(Lifetime lifetime) {
    return with(actor.draft().lifetime(Checks.notNull(lifetime, "the lifetime")));
  }

  /** Bounds the calls that wait or run [100,000, block]; 0 for no bound. */
  public ActorCall<T> maxPendingCalls(int calls, PendingCallsPolicy policy) {
    return with(
        actor
            .draft()
            .maxPendingCalls(calls)
            .pendingCallsPolicy(Checks.notNull(policy, "the policy")));
  }

  /** Sets code that runs after the constructor when the actor was restarted. */
  public ActorCall<T> onRestart(TaskAction1<? super T> action) {
    return with(actor.draft().onRestart(Checks.notNull(action, "the action")));
  }

  /**
   * Creates the actor and returns its handle at once; {@link ActorHandle#ready} tells when its
   * constructor has run.
   *
   * @throws IllegalArgumentException when the name is taken, or a detached actor has no name
   * @throws NotSerializableException when the constructor or an argument cannot be sent
   * @throws SessionClosedException when the session, or a reference's session, is closed
   */
  public ActorHandle<T> remote() {
    return engine.createActor(work, actor, false);
  }

  /**
   * Returns the actor of this name, or creates it; of several callers exactly one creates it.
   *
   * @throws IllegalArgumentException when no name was given
   */
  public ActorHandle<T> getOrCreate() {
    return engine.createActor(work, actor, true);
  }

  private ActorCall<T> with(ActorOptions.Draft changed) {
    return new ActorCall<>(engine, work, changed.build());
  }
}
