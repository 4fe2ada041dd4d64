package io.aktis.testkit;

import io.aktis.testkit.BoardMessage.Operation;
import io.aktis.testkit.BoardMessage.Reply;
import io.aktis.testkit.BoardMessage.Request;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The board of a process whose test runs in another one, behind a {@link SignalServer}.
 *
 * <p>Callers never touch the connection: a virtual thread that is interrupted in there would close
 * it for all. Two threads of its own write and read; callers wait for futures. So an interrupt ends
 * a wait at a gate at once, and disturbs nothing else.
 */
final class RemoteSignalBoard implements SignalBoard {
  private final String address;
  private final Socket socket;
  private final BlockingQueue<Request> outgoing = new LinkedBlockingQueue<>();
  private final Map<Long, CompletableFuture<List<String>>> waiting = new ConcurrentHashMap<>();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicReference<@Nullable IOException> end = new AtomicReference<>();

  private final Thread writer;

  private RemoteSignalBoard(String address, Socket socket) {
    this.address = address;
    this.socket = socket;
    this.writer = Thread.ofPlatform().daemon().name("testkit-board-writer").unstarted(this::write);
  }

  /**
   * Connects to a board; {@code address} is that of a {@link SignalServer}. A thread of its own
   * does it: a virtual one that waits for the network needs another one to be woken, which does not
   * get to run while callers hold all carriers, as they do inside of static initializers.
   */
  static RemoteSignalBoard connect(String address) {
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon);
    int port = Integer.parseInt(address.substring(colon + 1));
    CompletableFuture<Socket> connected = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("testkit-board-connector")
        .start(() -> {
          try {
            Socket socket = new Socket(host, port);
            socket.setTcpNoDelay(true);
            connected.complete(socket);
          } catch (IOException e) {
            connected.completeExceptionally(e);
          }
        });
    try {
      RemoteSignalBoard board = new RemoteSignalBoard(address, connected.join());
      board.writer.start();
      Thread.ofPlatform().daemon().name("testkit-board-reader").start(board::read);
      return board;
    } catch (CompletionException e) {
      throw new UncheckedIOException(
          "nobody serves a board at " + address, new IOException(e.getCause()));
    }
  }

  private void write() {
    try {
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
      while (end.get() == null) {
        outgoing.take().write(out);
        for (Request next = outgoing.poll(); next != null; next = outgoing.poll()) {
          next.write(out);
        }
        out.flush();
      }
    } catch (IOException e) {
      fail(e);
    } catch (InterruptedException e) {
      fail(new IOException("the connection has ended", e));
    }
  }

  private void read() {
    try {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      while (true) {
        Reply reply = Reply.read(in);
        CompletableFuture<List<String>> caller = waiting.remove(reply.number());
        if (caller != null) {
          caller.complete(reply.lines());
        }
      }
    } catch (IOException e) {
      fail(e);
    }
  }

  private void fail(IOException e) {
    end.compareAndSet(null, e);
    writer.interrupt();
    try {
      socket.close();
    } catch (IOException f) {
      e.addSuppressed(f);
    }
    for (Long number : List.copyOf(waiting.keySet())) {
      CompletableFuture<List<String>> caller = waiting.remove(number);
      if (caller != null) {
        caller.completeExceptionally(e);
      }
    }
  }

  private CompletableFuture<List<String>> ask(Operation operation, String id, String argument) {
    CompletableFuture<List<String>> reply = new CompletableFuture<>();
    Request request = new Request(requests.incrementAndGet(), operation, id, argument);
    waiting.put(request.number(), reply);
    outgoing.add(request);
    IOException ended = end.get();
    if (ended != null) {
      waiting.remove(request.number());
      reply.completeExceptionally(ended);
    }
    return reply;
  }

  /** Waits for an answer that comes at once; an interrupt is kept for later. */
  private List<String> tell(Operation operation, String id, String argument) {
    CompletableFuture<List<String>> reply = ask(operation, id, argument);
    try {
      return reply.join();
    } catch (RuntimeException e) {
      throw new IllegalStateException("the board at " + address + " is gone", e);
    }
  }

  @Override
  public void addGate(String gateId) {
    tell(Operation.ADD_GATE, gateId, "");
  }

  @Override
  public void arrive(String gateId) {
    tell(Operation.ARRIVE, gateId, "");
  }

  @Override
  public int arrivals(String gateId) {
    return Integer.parseInt(tell(Operation.ARRIVALS, gateId, "").getFirst());
  }

  @Override
  public boolean awaitOpen(String gateId, Duration atMost) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before the gate");
    }
    CompletableFuture<List<String>> reply =
        ask(Operation.AWAIT_OPEN, gateId, Long.toString(atMost.toNanos()));
    try {
      return Boolean.parseBoolean(reply.get().getFirst());
    } catch (ExecutionException e) {
      throw new IllegalStateException("the board at " + address + " is gone", e);
    }
  }

  @Override
  public void open(String gateId) {
    tell(Operation.OPEN, gateId, "");
  }

  @Override
  public void note(String notesId, String line) {
    tell(Operation.NOTE, notesId, line);
  }

  @Override
  public List<String> notes(String notesId) {
    return tell(Operation.NOTES, notesId, "");
  }

  @Override
  public void releaseAll() {
    tell(Operation.RELEASE_ALL, "", "");
  }
}
