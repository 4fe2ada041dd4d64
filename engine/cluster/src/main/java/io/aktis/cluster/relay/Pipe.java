package io.aktis.cluster.relay;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One direction of one connection. One thread reads and notes when the bytes arrive, another writes
 * them then; what is under way is bounded, so that a reader that is too slow is felt by the writer.
 */
final class Pipe {
  private static final int MAX_CHUNK_BYTES = 64 << 10;
  private static final int LEAST_CHUNK_BYTES = 512;
  private static final int MAX_WINDOW_BYTES = 4 << 20;

  /** What a connection may have waiting for its turn, beyond what is on its way. */
  private static final double QUEUE_SECONDS = 0.25;

  /** Bytes and when they arrive; none for the end. */
  private static final class Portion {
    private final byte[] bytes;
    private final long arrivalNs;

    Portion(byte[] bytes, long arrivalNs) {
      this.bytes = bytes;
      this.arrivalNs = arrivalNs;
    }

    boolean isEnd() {
      return bytes.length == 0;
    }
  }

  private final Socket from;
  private final Socket to;
  private final Link link;
  private final CountDownLatch broken;
  private final int chunkBytes;
  private final Semaphore room;
  private final BlockingQueue<Portion> underWay = new LinkedBlockingQueue<>();

  /**
   * Makes a pipe.
   *
   * @param broken open as soon as nothing is to be delivered any more
   */
  Pipe(Socket from, Socket to, Link link, SlowNetwork network, CountDownLatch broken) {
    this.from = from;
    this.to = to;
    this.link = link;
    this.broken = broken;
    double seconds = network.latency().toNanos() / 1e9 + QUEUE_SECONDS;
    int window =
        (int) Math.clamp(network.bytesPerSecond() * seconds, LEAST_CHUNK_BYTES, MAX_WINDOW_BYTES);
    this.chunkBytes = Math.clamp(window / 8, LEAST_CHUNK_BYTES, MAX_CHUNK_BYTES);
    this.room = new Semaphore(Math.max(window, chunkBytes));
  }

  /** Takes what comes, to its end. */
  void read() throws IOException, InterruptedException {
    InputStream in = from.getInputStream();
    byte[] buffer = new byte[chunkBytes];
    while (true) {
      room.acquire(chunkBytes);
      int count = in.read(buffer);
      byte[] bytes = Arrays.copyOf(buffer, Math.max(count, 0));
      room.release(chunkBytes - bytes.length);
      underWay.add(new Portion(bytes, link.send(bytes.length, System.nanoTime())));
      if (count < 0) {
        return;
      }
    }
  }

  /** Delivers what has arrived, to its end or until the connection is broken. */
  void write() throws IOException, InterruptedException {
    OutputStream out = to.getOutputStream();
    while (true) {
      Portion next = underWay.take();
      boolean isBroken = broken.await(next.arrivalNs - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (isBroken) {
        return;
      }
      if (next.isEnd()) {
        to.shutdownOutput();
        return;
      }
      out.write(next.bytes);
      room.release(next.bytes.length);
    }
  }

  /** Lets go whoever waits here, once the connection is broken. */
  void wake() {
    underWay.add(new Portion(new byte[0], System.nanoTime()));
    room.release(chunkBytes);
  }
}
