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
}
