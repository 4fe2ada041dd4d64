package io.aktis.cluster.store;

import io.aktis.core.id.ObjectId;
import io.aktis.runtime.form.WireIds;
import io.aktis.store.Creation;
import io.aktis.store.ObjectStore;
import io.aktis.store.Pin;
import io.aktis.store.StoreFullException;
import io.aktis.store.StoreStats;
import io.aktis.wire.message.Create;
import io.aktis.wire.message.StoreFigures;
import io.aktis.wire.message.StoreFull;
import io.aktis.wire.message.StoreReply;
import io.aktis.wire.message.StoreRequest;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One process of this machine that uses the store, and all that it holds. What can be answered at
 * once is, by the thread of the network; the rest waits in a virtual thread. The end of the stream
 * means that the process has ended or will not touch the memory any more: all is let go.
 * Thread-safe.
 */
final class StoreConnection implements StreamObserver<StoreRequest> {
  /** More may take long even when there is room: the system has to find the memory. */
  private static final long AT_ONCE_BYTES = 1 << 20;

  private final ObjectStore store;
  private final Pulls pulls;
  private final ServerCallStreamObserver<StoreReply> replies;
  private final Consumer<StoreConnection> whenEnded;

  // Guarded by the monitor.
  private final Map<Long, Creation> creations = new HashMap<>();
  private final Map<Long, Pin> pins = new HashMap<>();
  private final Set<Thread> waiting = new HashSet<>();
  private String user = "a process without a name";
  private long lastHold;
  private boolean ended;

  /** Whether the next request is asked for when the replies have gone out. */
  private boolean paused;

  /**
   * Serves a process that has connected.
   *
   * @param whenEnded hears, at least once, that the stream has ended
   */
  StoreConnection(
      ObjectStore store,
      Pulls pulls,
      ServerCallStreamObserver<StoreReply> replies,
      Consumer<StoreConnection> whenEnded) {
    this.whenEnded = whenEnded;
    this.store = store;
    this.pulls = pulls;
    this.replies = replies;
    replies.setOnCancelHandler(this::end);
    replies.setOnReadyHandler(this::resume);
    replies.disableAutoRequest();
    replies.request(1);
  }

  /** Answers a request, now or later. */
  @FunctionalInterface
  private interface Work {
    void run(StoreReply.Builder reply) throws InterruptedException;
  }

  @Override
  public void onNext(StoreRequest request) {
    StoreReply.Builder reply = StoreReply.newBuilder().setNumber(request.getNumber());
    switch (request.getWhatCase()) {
      case CREATE -> create(request.getCreate(), reply);
      case SEAL -> answer(reply, r -> r.setDone(creation(request.getSeal()).seal()));
      case ABORT -> abort(request.getAbort());
      case PIN -> pin(request, reply);
      case UNPIN -> unpin(request.getUnpin());
      case USER -> called(request.getUser().getName());
      case STATS -> answer(reply, r -> r.setStats(figures(store.stats())));
      case WHAT_NOT_SET -> answer(reply, r -> r.setError("a request asks for something"));
    }
    askForNext();
  }

  private synchronized void called(String name) {
    user = name;
  }

  /** Adds what this process has pinned: how often, by object and by name of the process. */
  synchronized void addTo(Map<ObjectId, Map<String, Integer>> readers) {
    for (Pin pin : pins.values()) {
      readers.computeIfAbsent(pin.id(), id -> new TreeMap<>()).merge(user, 1, Integer::sum);
    }
  }

  /** A process that does not take its replies is not listened to either. */
  private synchronized void askForNext() {
    if (replies.isReady()) {
      replies.request(1);
    } else {
      paused = true;
    }
  }

  private synchronized void resume() {
    if (paused) {
      paused = false;
      replies.request(1);
    }
  }

  private void create(Create create, StoreReply.Builder reply) {
    ObjectId id = WireIds.object(create.getObject());
    long sizeBytes = create.getSizeBytes();
    if (sizeBytes > AT_ONCE_BYTES) {
      later(reply, r -> create(id, sizeBytes, create.getAtOnce(), r));
      return;
    }
    answer(
        reply,
        r -> {
          Creation creation = store.tryCreate(id, sizeBytes);
          if (creation != null) {
            created(creation, r);
          } else if (create.getAtOnce()) {
            r.setFull(noRoomNow());
          } else {
            later(r, waited -> create(id, sizeBytes, false, waited));
          }
        });
  }

  private void create(ObjectId id, long sizeBytes, boolean atOnce, StoreReply.Builder reply)
      throws InterruptedException {
    Creation creation = store.tryCreate(id, sizeBytes);
    if (creation == null && atOnce) {
      reply.setFull(noRoomNow());
    } else {
      created(creation == null ? store.create(id, sizeBytes) : creation, reply);
    }
  }

  private static StoreFull noRoomNow() {
    return StoreFull.newBuilder()
        .setMessage("there is no room at this moment")
        .setCanEverFit(true)
        .build();
  }

  private void created(Creation creation, StoreReply.Builder reply) {
    synchronized (this) {
      if (!ended) {
        long hold = ++lastHold;
        creations.put(hold, creation);
        reply.setCreated(Wire.place(creation.placement(), hold));
        return;
      }
    }
    creation.abort();
  }

  private void pin(StoreRequest request, StoreReply.Builder reply) {
    ObjectId id = WireIds.object(request.getPin().getObject());
    String from = request.getPin().getFromAddress();
    answer(
        reply,
        r -> {
          Pin pin = store.tryPin(id);
          if (pin != null) {
            pinned(pin, r);
          } else {
            later(r, waited -> pinned(pulls.pin(id, from), waited));
          }
        });
  }

  private void pinned(@Nullable Pin pin, StoreReply.Builder reply) {
    if (pin == null) {
      reply.setAbsent(true);
      return;
    }
    synchronized (this) {
      if (!ended) {
        long hold = ++lastHold;
        pins.put(hold, pin);
        reply.setPinned(Wire.place(pin.placement(), hold));
        return;
      }
    }
    pin.close();
  }

  private synchronized Creation creation(long hold) {
    Creation creation = creations.remove(hold);
    if (creation == null) {
      throw new IllegalStateException("nothing is being created under the number " + hold);
    }
    return creation;
  }

  private void abort(long hold) {
    Creation creation;
    synchronized (this) {
      creation = creations.remove(hold);
    }
    if (creation != null) {
      creation.abort();
    }
  }

  private void unpin(long hold) {
    Pin pin;
    synchronized (this) {
      pin = pins.remove(hold);
    }
    if (pin != null) {
      pin.close();
    }
  }

  private void later(StoreReply.Builder reply, Work work) {
    Thread thread =
        Thread.ofVirtual()
            .name("store-wait")
            .unstarted(() -> {
              answer(reply, work);
              synchronized (this) {
                waiting.remove(Thread.currentThread());
              }
            });
    synchronized (this) {
      if (ended) {
        return;
      }
      waiting.add(thread);
    }
    thread.start();
  }

  /** Does the work and sends what it has put into the reply; nothing when it goes on later. */
  private void answer(StoreReply.Builder reply, Work work) {
    try {
      work.run(reply);
    } catch (StoreFullException e) {
      reply.setFull(Wire.full(e));
    } catch (InterruptedException e) {
      return; // the stream has ended: nobody waits
    } catch (RuntimeException e) {
      reply.setError(String.valueOf(e.getMessage()));
    } catch (Error e) {
      reply.setError(e.toString());
      send(reply);
      throw e;
    }
    send(reply);
  }

  private synchronized void send(StoreReply.Builder reply) {
    if (!ended && reply.getWhatCase() != StoreReply.WhatCase.WHAT_NOT_SET) {
      replies.onNext(reply.build());
    }
  }

  static StoreFigures figures(StoreStats stats) {
    return StoreFigures.newBuilder()
        .setCapacityBytes(stats.capacityBytes())
        .setUsedBytes(stats.usedBytes())
        .setPinnedBytes(stats.pinnedBytes())
        .setObjectCount(stats.sealedObjects())
        .setSpilledBytes(stats.spilledBytes())
        .build();
  }

  @Override
  public void onError(Throwable cancelled) {
    end();
  }

  @Override
  public void onCompleted() {
    end();
    replies.onCompleted();
  }

  private void end() {
    List<Creation> unfinished;
    List<Pin> pinned;
    synchronized (this) {
      ended = true;
      unfinished = List.copyOf(creations.values());
      pinned = List.copyOf(pins.values());
      creations.clear();
      pins.clear();
      waiting.forEach(Thread::interrupt);
    }
    unfinished.forEach(Creation::abort);
    pinned.forEach(Pin::close);
    whenEnded.accept(this);
  }
}
