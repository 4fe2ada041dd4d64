package io.aktis.cluster.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.cluster.store.Pieces.Piece;
import io.aktis.wire.message.ReadRequest;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** What has come of an object, and who reads it while the rest comes. */
final class IncomingTest {
  private static final int SIZE = 100;

  private final Incoming incoming = new Incoming(MemorySegment.ofArray(new byte[SIZE]));

  private static ReadRequest request(Piece piece) {
    return ReadRequest.newBuilder()
        .setOffset(piece.offset())
        .setLengthBytes(piece.length())
        .build();
  }

  private boolean send(Piece piece, boolean orNothing, Replies replies)
      throws InterruptedException {
    return incoming.send(
        piece, orNothing, new ObjectSender(request(piece), replies, new LongAdder()));
  }

  @Test
  void parts_inAnyOrder_areSentAsSoonAsAllOfThemIsHere() throws Exception {
    for (long seed = 0; seed < 50; seed++) {
      Incoming comes = new Incoming(MemorySegment.ofArray(new byte[SIZE]));
      List<Piece> pieces = new ArrayList<>();
      for (int at = 0; at < SIZE; at += 10) {
        pieces.add(new Piece(at, 10));
      }
      Collections.shuffle(pieces, new Random(seed));
      boolean[] here = new boolean[SIZE];
      for (Piece piece : pieces) {
        comes.arrived(piece);
        for (int i = 0; i < 10; i++) {
          here[(int) piece.offset() + i] = true;
        }
        for (int at = 0; at + 25 <= SIZE; at += 5) {
          boolean all = true;
          for (int i = at; i < at + 25; i++) {
            all &= here[i];
          }
          Piece asked = new Piece(at, 25);
          ObjectSender sender = new ObjectSender(request(asked), new Replies(), new LongAdder());
          assertThat(comes.send(asked, true, sender)).as("seed %d, at %d", seed, at).isEqualTo(all);
        }
      }
      assertThat(comes.arrivedBytes()).isEqualTo(SIZE);
    }
  }

  @Test
  void part_thatHasNotCome_isWaitedFor() throws Exception {
    Replies replies = new Replies();
    FutureTask<Boolean> sent = new FutureTask<>(() -> send(new Piece(10, 20), false, replies));
    Thread waiter = Thread.ofPlatform().daemon().start(sent);
    Daemon.await(() -> waiter.getState() == Thread.State.WAITING, waiter::getState);

    incoming.arrived(new Piece(20, 30));
    assertThat(sent.isDone()).isFalse();
    incoming.arrived(new Piece(0, 20));

    assertThat(sent.get(30, TimeUnit.SECONDS)).isTrue();
    assertThat(replies.bytes).isEqualTo(20);
    assertThat(replies.completed).isTrue();
  }

  @Test
  void sender_whoseObjectDoesNotComeAnyMore_isToldAndTouchesNothing() throws Exception {
    Replies busy = new Replies();
    busy.ready = false; // its reader takes nothing at this moment
    incoming.arrived(new Piece(0, 50));
    assertThat(send(new Piece(0, 50), false, busy)).isTrue();

    incoming.failed();

    assertThat(busy.failure).isEqualTo(Status.Code.UNAVAILABLE);
    busy.becomeReady();
    assertThat(busy.bytes).isZero();
    assertThat(send(new Piece(0, 50), false, new Replies())).isFalse();
  }

  @Test
  void sender_whoseObjectIsSealedButDropped_isTold() throws Exception {
    Replies busy = new Replies();
    busy.ready = false;
    incoming.arrived(new Piece(0, SIZE));
    assertThat(send(new Piece(0, SIZE), false, busy)).isTrue();

    incoming.sealing();
    busy.becomeReady();
    assertThat(busy.bytes).isZero(); // the memory may be given back at any moment
    incoming.sealed(() -> null);

    assertThat(busy.failure).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(send(new Piece(0, SIZE), false, new Replies())).isFalse();
  }

  /** The stream to a reader. */
  private static final class Replies extends ServerCallStreamObserver<SegmentChunk> {
    boolean ready = true;
    long bytes;
    boolean completed;
    Status.Code failure = Status.Code.OK;
    private Runnable onReady = () -> {};

    void becomeReady() {
      ready = true;
      onReady.run();
    }

    @Override
    public void onNext(SegmentChunk chunk) {
      bytes += chunk.data().byteSize();
    }

    @Override
    public void onError(Throwable error) {
      failure = Status.fromThrowable(error).getCode();
    }

    @Override
    public void onCompleted() {
      completed = true;
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {
      onReady = handler;
    }

    @Override
    public void setOnReadyThreshold(int bytes) {}

    @Override
    public void setOnCancelHandler(Runnable handler) {}

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public void setCompression(String compression) {}

    @Override
    public void setMessageCompression(boolean enable) {}

    @Override
    public void disableAutoInboundFlowControl() {}

    @Override
    public void request(int count) {}
  }
}
