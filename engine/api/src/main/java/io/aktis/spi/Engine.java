package io.aktis.spi;

import io.aktis.ActorHandle;
import io.aktis.ActorOptions;
import io.aktis.Bundle;
import io.aktis.ObjectRef;
import io.aktis.ObjectRefStream;
import io.aktis.PlacementGroup;
import io.aktis.PlacementStrategy;
import io.aktis.function.TaskFunction1;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What carries out the work of a session. All methods are thread-safe. Bad options and values that
 * cannot be sent are refused in the caller's thread, before anything is changed.
 */
public interface Engine {
  /** Submits a task with one result. */
  <R> ObjectRef<R> submit(Work work);

  /** Submits a task with {@code returns} results of class {@code type}. */
  <R> List<ObjectRef<R>> submit(Work work, int returns, Class<R> type);

  /** Submits a task whose result is a stream; at most {@code buffer} values wait unconsumed. */
  <R> ObjectRefStream<R> stream(Work work, int buffer);

  /** Creates an actor, or returns the one of that name when {@code getOrCreate} is set. */
  <A> ActorHandle<A> createActor(Work work, ActorOptions options, boolean getOrCreate);

  /** Runs {@code function} over {@code items} in order and waits for the results. */
  <T, R> List<R> map(
      List<? extends T> items,
      TaskFunction1<? super T, ? extends R> function,
      MapPlan plan,
      @Nullable Duration timeout);

  /** Reserves bundles; returns at once. */
  PlacementGroup createGroup(
      PlacementStrategy strategy, List<Bundle> bundles, @Nullable String name, boolean detached);
}
