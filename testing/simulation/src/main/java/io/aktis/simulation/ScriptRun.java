package io.aktis.simulation;

import java.util.List;
import java.util.function.Consumer;

/** Code that runs: the driver of a job, or one attempt at a worker. */
final class ScriptRun {
  /** Where code runs, and what it needs from there. */
  interface Place {
    /** Does something later, unless the place is gone by then. */
    void after(long ms, Runnable action);

    /** Gets values and compares them with the truth; tells whether all could be had. */
    void look(List<Value> values, Consumer<Boolean> seen);

    /** The code starts, since all arguments are here. */
    void starts();

    /** The code did something that its owner has to know. */
    void did(Step step);

    /** The code puts a value. */
    void puts(Step.Put put);

    /** The code waits. */
    void waits(int wait, Step step);

    /** The code waits no more, since it was interrupted. */
    void stopsWaiting(int wait);

    /** It is over; before the code started, for the last two. */
    void ended(Ending ending);
  }

  /** How a run ends. */
  enum Ending {
    RETURNED,
    THREW,
    THREW_FOR_A_RETRY,
    ARGUMENT_LOST,
    WITHDRAWN
  }

  private enum State {
    STARTING,
    RUNNING,
    WAITING,
    OVER
  }

  private final Script script;
  private final int attempt;
  private final boolean waitsForArguments;
  private final Place place;
  private State state = State.STARTING;
  private boolean started;
  private boolean interrupted;
  private int next;
  private int wait;
  private int work;
  private Step waitsFor = new Step.AwaitArguments();

  /**
   * Makes a run.
   *
   * @param waitsForArguments whether arguments that got lost are waited for here, or the run ends
   */
  ScriptRun(Script script, int attempt, boolean waitsForArguments, Place place) {
    this.script = script;
    this.attempt = attempt;
    this.waitsForArguments = waitsForArguments;
    this.place = place;
  }

  boolean isStarted() {
    return started;
  }

  /** Tells whether it uses its CPU now. */
  boolean isRunning() {
    return state == State.RUNNING;
  }

  boolean isOver() {
    return state == State.OVER;
  }

  /** Starts once the arguments are here. */
  void begin(List<Value> arguments) {
    place.look(
        arguments,
        seen -> {
          if (state == State.OVER || started) {
            return;
          }
          if (seen) {
            started = true;
            state = State.RUNNING;
            place.starts();
            go();
          } else if (waitsForArguments) {
            await(new Step.AwaitArguments());
          } else {
            end(Ending.ARGUMENT_LOST);
          }
        });
  }

  /** Does one step after the other, until it has to wait. */
  private void go() {
    while (state == State.RUNNING) {
      if (interrupted && !script.stubborn()) {
        end(Ending.THREW);
      } else if (next == script.steps().size()) {
        finish();
      } else {
        step(script.steps().get(next++));
        if (script.steps().get(next - 1) instanceof Step.Work) {
          return;
        }
      }
    }
  }

  private void step(Step step) {
    switch (step) {
      case Step.Work work -> work(work.ms());
      case Step.Put put -> place.puts(put);
      case Step.Await _, Step.AwaitInside _, Step.AwaitGroup _, Step.AwaitArguments _ ->
          await(step);
      default -> place.did(step);
    }
  }

  private void work(long ms) {
    int number = ++work;
    place.after(
        ms,
        () -> {
          if (number == work) {
            go();
          }
        });
  }

  private void finish() {
    if (attempt > script.failures()) {
      end(Ending.RETURNED);
    } else {
      end(script.retryable() ? Ending.THREW_FOR_A_RETRY : Ending.THREW);
    }
  }

  private void await(Step step) {
    state = State.WAITING;
    waitsFor = step;
    place.waits(++wait, step);
  }

  /** A wait is over: with values, or because it was broken off. */
  void wake(int number, List<Value> values, boolean brokenOff) {
    if (state != State.WAITING || number != wait) {
      return;
    }
    if (brokenOff) {
      breakOff();
    } else if (!started) {
      goOnToStart(values);
    } else {
      goOn(values);
    }
  }

  private void breakOff() {
    if (!started) {
      end(Ending.WITHDRAWN);
    } else if (script.stubborn()) {
      await(waitsFor);
    } else {
      end(Ending.THREW);
    }
  }

  private void goOnToStart(List<Value> values) {
    if (values.stream().anyMatch(Value.Failed.class::isInstance)) {
      end(Ending.THREW);
    } else if (interrupted) {
      end(Ending.WITHDRAWN);
    } else {
      state = State.STARTING;
      begin(values);
    }
  }

  private void goOn(List<Value> values) {
    int number = wait;
    place.look(
        values,
        seen -> {
          if (state != State.WAITING || number != wait) {
            return;
          }
          state = State.RUNNING;
          if (!seen) {
            lookAgain();
          } else if (values.stream().anyMatch(Value.Failed.class::isInstance) && !script.brave()) {
            end(Ending.THREW);
          } else {
            go();
          }
        });
  }

  /** A copy was gone; the owner will know soon, or has moved it. */
  private void lookAgain() {
    int number = ++work;
    place.after(
        20,
        () -> {
          if (number == work && state == State.RUNNING) {
            await(waitsFor);
          }
        });
  }

  void interrupt() {
    interrupted = true;
    switch (state) {
      case STARTING -> end(Ending.WITHDRAWN);
      case WAITING -> place.stopsWaiting(wait);
      case RUNNING -> {
        if (!script.stubborn()) {
          end(Ending.THREW);
        }
      }
      case OVER -> {}
    }
  }

  /** Its process is gone: nothing is heard of it any more. */
  void kill() {
    state = State.OVER;
  }

  private void end(Ending ending) {
    state = State.OVER;
    place.ended(ending);
  }
}
