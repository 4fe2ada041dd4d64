package io.aktis.runtime.session;

import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.Payload;
import io.aktis.core.owner.Task;
import io.aktis.function.Invocable;
import io.aktis.wire.value.Encoded;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Code with its arguments in the forms the engine keeps them, so that it can run any number of
 * times. Immutable and thread-safe.
 */
final class Call implements Payload {
  /** Stands for the next object of the task's arguments. */
  static final Object REFERENCE = new Object();

  private static final long SHARED_BYTES = 32;

  private final Object function;
  private final @Nullable Object[] args;
  private final Request request;

  /**
   * Makes a call.
   *
   * @param function the code, or its encoded form if it captures what can change
   * @param args kept values, and {@link #REFERENCE} where an object belongs
   * @param request what was asked for beside code and arguments
   */
  Call(Object function, @Nullable Object[] args, Request request) {
    this.function = function;
    this.args = args;
    this.request = request;
  }

  Request request() {
    return request;
  }

  /** Returns the code in the form in which it is kept. */
  Object function() {
    return function;
  }

  /** Returns the arguments as they are kept, and {@link #REFERENCE} where an object belongs. */
  @Nullable Object[] args() {
    return args;
  }

  Invocable function(Values values) {
    Object code = function instanceof Invocable ? function : values.readKept(function);
    if (code instanceof Invocable invocable) {
      return invocable;
    }
    throw new IllegalStateException("the code of a task was decoded as something else");
  }

  /**
   * Gives the arguments, each as a copy if it can change.
   *
   * @param lead how many places to leave free in front
   */
  @Nullable Object[] arguments(Task task, Values values, int lead) {
    @Nullable Object[] out = new Object[args.length + lead];
    OwnedObject[] objects = task.arguments();
    int reference = 0;
    for (int i = 0; i < args.length; i++) {
      Object kept = args[i];
      if (kept == REFERENCE) {
        out[i + lead] = values.read(outcomeOf(objects[reference++]));
      } else if (kept != null) {
        out[i + lead] = values.readKept(kept);
      }
    }
    return out;
  }

  private static Outcome outcomeOf(OwnedObject object) {
    Outcome outcome = object.outcome();
    if (outcome == null) {
      throw new Values.StoreRaceException();
    }
    return outcome;
  }

  @Override
  public long sizeBytes() {
    long bytes = function instanceof Encoded encoded ? encoded.sizeBytes() : SHARED_BYTES;
    for (Object kept : args) {
      bytes += kept instanceof Encoded encoded ? encoded.sizeBytes() : SHARED_BYTES;
    }
    return bytes;
  }

  /**
   * What was asked for beside code and arguments.
   *
   * @param returns how many results, 1 for the usual case
   * @param type class of each of several results
   * @param stream where a task that makes a stream puts its values
   * @param retryOn failures that are retried
   * @param group concurrency group of a call to an actor
   * @param local whether code and result are used as they are, in this process
   * @param settings what the context of the task shows
   * @param room the room that a call takes among the pending calls of its actor
   * @param borrowed objects that references inside the arguments name
   * @param handles handles on actors inside the arguments
   */
  record Request(
      int returns,
      @Nullable Class<?> type,
      @Nullable StreamSink stream,
      List<Class<? extends Throwable>> retryOn,
      String group,
      boolean local,
      Settings settings,
      @Nullable Semaphore room,
      List<OwnedObject> borrowed,
      List<Handle<?>> handles) {}
}
