package io.aktis;

import io.aktis.function.TaskAction1;
import org.jspecify.annotations.Nullable;

/**
 * The options of an actor beside {@link CallOptions}, as one immutable value; usually written
 * through the methods of {@link ActorCall}.
 *
 * @param namespace where the name is unique, {@code null} for the session's
 * @param maxRestarts how often the actor is made again after its process or node was lost
 * @param maxTaskRetries how often a call is delivered again that was in flight then
 * @param maxConcurrency calls at a time outside of groups
 * @param groups named groups with limits of their own
 * @param lifetime how long it lives
 * @param maxPendingCalls calls that may wait or run, for all callers together; 0 for no limit
 * @param pendingCallsPolicy what happens to a call beyond that
 * @param onRestart code that runs after the constructor when the actor was restarted
 */
public record ActorOptions(
    @Nullable String namespace,
    int maxRestarts,
    int maxTaskRetries,
    int maxConcurrency,
    ConcurrencyGroups groups,
    Lifetime lifetime,
    int maxPendingCalls,
    PendingCallsPolicy pendingCallsPolicy,
    @Nullable TaskAction1<?> onRestart) {
  /** The pending calls an actor allows if nothing is said. */
  public static final int DEFAULT_MAX_PENDING_CALLS = 100_000;

  /** The options of an actor for which nothing was said. */
  public static final ActorOptions DEFAULTS =
      new ActorOptions(
          null,
          0,
          0,
          1,
          ConcurrencyGroups.NONE,
          Lifetime.JOB,
          DEFAULT_MAX_PENDING_CALLS,
          PendingCallsPolicy.BLOCK,
          null);

  /** Checks every option. */
  public ActorOptions {
    Checks.atLeast(maxRestarts, 0, "maxRestarts");
    Checks.atLeast(maxTaskRetries, 0, "maxTaskRetries");
    Checks.atLeast(maxConcurrency, 1, "maxConcurrency");
    Checks.atLeast(maxPendingCalls, 0, "maxPendingCalls");
  }

  /** Returns a draft of a changed copy. */
  Draft draft() {
    return new Draft(this);
  }

  /** A copy in the making. Confined to one thread. */
  static final class Draft {
    private @Nullable String namespace;
    private int maxRestarts;
    private int maxTaskRetries;
    private int maxConcurrency;
    private ConcurrencyGroups groups;
    private Lifetime lifetime;
    private int maxPendingCalls;
    private PendingCallsPolicy pendingCallsPolicy;
    private @Nullable TaskAction1<?> onRestart;

    private Draft(ActorOptions from) {
      namespace = from.namespace;
      maxRestarts = from.maxRestarts;
      maxTaskRetries = from.maxTaskRetries;
      maxConcurrency = from.maxConcurrency;
      groups = from.groups;
      lifetime = from.lifetime;
      maxPendingCalls = from.maxPendingCalls;
      pendingCallsPolicy = from.pendingCallsPolicy;
      onRestart = from.onRestart;
    }

    Draft namespace(String value) {
      namespace = value;
      return this;
    }

    Draft maxRestarts(int value) {
      maxRestarts = value;
      return this;
    }

    Draft maxTaskRetries(int value) {
      maxTaskRetries = value;
      return this;
    }

    Draft maxConcurrency(int value) {
      maxConcurrency = value;
      return this;
    }

    Draft groups(ConcurrencyGroups value) {
      groups = value;
      return this;
    }

    Draft lifetime(Lifetime value) {
      lifetime = value;
      return this;
    }

    Draft maxPendingCalls(int value) {
      maxPendingCalls = value;
      return this;
    }

    Draft pendingCallsPolicy(PendingCallsPolicy value) {
      pendingCallsPolicy = value;
      return this;
    }

    Draft onRestart(TaskAction1<?> value) {
      onRestart = value;
      return this;
    }

    ActorOptions build() {
      return new ActorOptions(
          namespace,
          maxRestarts,
          maxTaskRetries,
          maxConcurrency,
          groups,
          lifetime,
          maxPendingCalls,
          pendingCallsPolicy,
          onRestart);
    }
  }
}
