package io.aktis.runtime.session;

import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.TaskKind;
import io.aktis.runtime.form.WireIds;
import io.aktis.wire.message.Release;
import io.aktis.wire.message.Retain;
import io.aktis.wire.message.WorkerToOwner;
import io.aktis.wire.value.HandleId;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a worker knows: who waits for them, and how often the worker holds them. A cell
 * that nobody holds any more is found by the collector, and what the worker held through it is let
 * go. Thread-safe.
 */
final class WorkerCells {
  private final WorkerKernel kernel;
  private final Map<ObjectId, Holding> holdings = new ConcurrentHashMap<>();

  /** Cells of objects that an answer names, until the thread that has asked takes them. */
  private final Map<ObjectId, Cell> announced = new ConcurrentHashMap<>();

  /** Guarded by itself, but for those who enter. */
  private final Admission admission;

  WorkerCells(WorkerKernel kernel, Admission admission) {
    this.kernel = kernel;
    this.admission = admission;
  }

  Admission admission() {
    return admission;
  }

  /** Returns what stands for a reference that arrived inside a value. */
  Object token(HandleId id) {
    return id.kind() == Handles.OBJECT ? cell(new ObjectId(id.high(), id.low())) : id;
  }

  /** Returns the cell of an object that the owner speaks of. */
  Cell cell(ObjectId id) {
    while (true) {
      Holding known = holdings.get(id);
      Cell there = known == null ? null : known.cell();
      if (there != null) {
        return there;
      }
      Cell cell = Cell.of(id);
      Holding fresh = new Holding(cell);
      boolean entered =
          known == null
              ? holdings.putIfAbsent(id, fresh) == null
              : holdings.replace(id, known, fresh);
      if (entered) {
        watch(id, cell, fresh);
        return cell;
      }
    }
  }

  /** Takes note of an object that code here makes, and that is held once. */
  Holding made(OwnedObject object) {
    Cell cell = (Cell) object.watcher();
    Holding holding = new Holding(cell);
    holding.count = 1;
    holdings.put(object.id(), holding);
    watch(object.id(), cell, holding);
    return holding;
  }

  private void watch(ObjectId id, Cell cell, Holding holding) {
    WorkerCells home = this;
    Shell.cleaner().register(cell, () -> home.collected(id, holding));
  }

  private void collected(ObjectId id, Holding holding) {
    holdings.remove(id, holding);
    synchronized (holding) {
      if (holding.count > 0) {
        Release.Builder release = Release.newBuilder();
        for (; holding.count > 0; holding.count--) {
          release.addObjects(WireIds.of(id));
        }
        kernel.send(WorkerToOwner.newBuilder().setRelease(release));
      }
    }
  }

  /**
   * An answer names an object, on which the owner has counted one reference of this worker. From
   * now on the owner may tell its outcome.
   */
  void announce(ObjectId id) {
    Cell cell = cell(id);
    announced.put(id, cell);
    Holding holding = holding(cell.object());
    synchronized (holding) {
      holding.count++;
    }
  }

  /** Returns the cell of an object that an answer has named. */
  Cell taken(ObjectId id) {
    Cell cell = announced.remove(id);
    if (cell == null) {
      throw new IllegalStateException("no answer has named " + id);
    }
    return cell;
  }

  /** One more reference here holds each of these. */
  void retained(List<OwnedObject> objects) {
    for (OwnedObject object : objects) {
      Holding holding = holding(object);
      synchronized (holding) {
        if (holding.count++ == 0) {
          // The owner begins to tell of it, and nothing that was told before counts.
          ((Cell) object.watcher()).unsettle();
        }
        kernel.send(
            WorkerToOwner.newBuilder()
                .setRetain(Retain.newBuilder().addObjects(WireIds.of(object.id()))));
      }
    }
  }

  /** One reference less here holds each of these. */
  void released(List<OwnedObject> objects) {
    for (OwnedObject object : objects) {
      Holding holding = holding(object);
      synchronized (holding) {
        if (holding.count > 0) {
          holding.count--;
          kernel.send(
              WorkerToOwner.newBuilder()
                  .setRelease(Release.newBuilder().addObjects(WireIds.of(object.id()))));
        }
      }
    }
  }

  /** The cell is held by who calls, so its holding is in the table. */
  private Holding holding(OwnedObject object) {
    Holding holding = holdings.get(object.id());
    if (holding == null) {
      throw new IllegalStateException(object.id() + " is not known here");
    }
    return holding;
  }

  // ---- outcomes -------------------------------------------------------------------------------

  /** The owner tells an outcome. */
  void settle(ObjectId id, Outcome outcome) {
    Holding holding = holdings.get(id);
    if (holding == null) {
      return; // nobody here asks any more
    }
    if (holding.isDone()) {
      taskDone();
    }
    Cell cell = holding.cell();
    if (cell != null) {
      settle(cell, outcome);
    }
  }

  void settle(Cell cell, Outcome outcome) {
    cell.settle(outcome);
    VarHandle.fullFence();
    cell.tell();
    if (outcome instanceof Outcome.Failure) {
      kernel.session().waits().failed();
    }
  }

  void unsettle(ObjectId id) {
    Holding holding = holdings.get(id);
    Cell cell = holding == null ? null : holding.cell();
    if (cell != null) {
      cell.unsettle();
    }
  }

  // ---- pending tasks --------------------------------------------------------------------------

  /** A task was submitted; it counts as pending until its first result is there. */
  void submitted(@Nullable Holding first) {
    if (first != null) {
      first.countsAsPending();
    }
    synchronized (admission) {
      admission.seen(TaskKind.TASK);
      if (first == null) {
        admission.done(TaskKind.TASK);
      }
      admission.makeRoom();
    }
  }

  private void taskDone() {
    synchronized (admission) {
      admission.done(TaskKind.TASK);
      admission.makeRoom();
    }
  }
}
