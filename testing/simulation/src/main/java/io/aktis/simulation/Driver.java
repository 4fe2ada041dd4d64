package io.aktis.simulation;

import io.aktis.core.owner.Actor;
import io.aktis.core.owner.OwnerEvent;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The program of a job. Its waits have a time limit, so that it always comes to its end; there it
 * takes back what may keep others from going on, since it holds what those need: groups first, then
 * actors, which may finish their calls, and are ended when that does not help.
 */
final class Driver implements ScriptRun.Place {
  private static final long WAIT_MS = 1_200;
  private static final long WIND_DOWN_MS = 1_000;

  private final OwnerProcess owner;
  private final ScriptRun code;
  private final boolean hurried;

  /**
   * Makes the driver of an owner.
   *
   * @param hurried whether the job ends with the program, whatever is still running
   */
  Driver(OwnerProcess owner, Script program, boolean hurried) {
    this.owner = owner;
    this.code = new ScriptRun(program, 1, false, this);
    this.hurried = hurried;
  }

  void start() {
    code.begin(List.of());
  }

  void wake(Message.Wake wake) {
    owner.after(0, () -> code.wake(wake.nth(), wake.values(), wake.brokenOff()));
  }

  @Override
  public void after(long ms, Runnable action) {
    owner.after(ms, action);
  }

  @Override
  public void look(List<Value> values, Consumer<Boolean> seen) {
    owner.fetcher().look(values, Map.of(), seen);
  }

  @Override
  public void starts() {}

  @Override
  public void did(Step step) {
    owner.note("driver does", step);
    owner.desk().perform(owner.scope(), step);
  }

  @Override
  public void puts(Step.Put put) {
    owner.driverPuts(put);
  }

  @Override
  public void waits(int wait, Step step) {
    Message.Wake tooLate = new Message.Wake(owner.driverKey(), wait, List.of(), false);
    if (step instanceof Step.AwaitGroup group) {
      awaitGroup(group.group(), tooLate, 20);
      return;
    }
    owner.waits(owner.driverKey(), owner.scope(), wait, step);
    owner.after(
        WAIT_MS,
        () -> {
          if (owner.waitBook().take(owner.driverKey(), wait) != null) {
            wake(tooLate);
          }
        });
  }

  private void awaitGroup(int index, Message.Wake wake, int looks) {
    GroupBook.Known group = owner.groups().get(index);
    if (group == null || group.isDecided() || looks == 0) {
      wake(wake);
    } else {
      owner.after(100, () -> awaitGroup(index, wake, looks - 1));
    }
  }

  @Override
  public void stopsWaiting(int wait) {}

  @Override
  public void ended(ScriptRun.Ending ending) {
    owner.note("driver is through");
    if (hurried) {
      owner.endJob();
    } else {
      windDown();
    }
  }

  private void windDown() {
    if (owner.machine().liveCount() == 0) {
      owner.endJob();
      return;
    }
    takeBackOne();
    owner.after(WIND_DOWN_MS, this::windDown);
  }

  private void takeBackOne() {
    GroupBook.Known group = owner.groups().nextToRemove();
    if (group != null) {
      owner.remove(group);
      return;
    }
    Actor toRelease = owner.actors().nextToRelease();
    if (toRelease != null) {
      owner.tell(new OwnerEvent.ActorReleased(toRelease));
      return;
    }
    Actor toKill = owner.actors().nextToKill();
    if (toKill != null) {
      owner.tell(new OwnerEvent.ActorKilled(toKill, "it keeps others from going on"));
    }
  }
}
