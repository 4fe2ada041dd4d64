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
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves a {@link SignalBoard} to the processes where the code of tasks runs: a JVM with the system
 * property {@value #PROPERTY} set to the {@link #address} has this board as its own.
 *
 * <p>It listens on the loopback address if nothing else is said, and everybody there may ask. Works
 * on virtual threads, one for each connection and one for each wait at a gate. Thread-safe; whoever
 * starts it closes it.
 */
public final class SignalServer implements AutoCloseable {
  /** Names the board to a process: host and port, with a colon between. */
  public static final String PROPERTY = "testkit.board";

  private final SignalBoard board;
  private final ServerSocket server;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final Thread acceptor;

  private SignalServer(SignalBoard board, ServerSocket server) {
    this.board = board;
    this.server = server;
    this.acceptor = Thread.ofVirtual().name("testkit-board").unstarted(this::accept);
  }

  /**
   * Starts to serve a board.
   *
   * @throws UncheckedIOException when nothing can listen on the loopback address
   */
  public static SignalServer serve(SignalBoard board) {
    return serve(board, InetAddress.getLoopbackAddress().getHostAddress());
  }

  /** Starts to serve a board to those who can reach an address of this machine. */
  static SignalServer serve(SignalBoard board, String host) {
    try {
      ServerSocket socket = new ServerSocket(0, 0, InetAddress.getByName(host));
      SignalServer server = new SignalServer(board, socket);
      server.acceptor.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot serve signals on " + host, e);
    }
  }

  /** Returns where the board is: host and port, with a colon between. */
  public String address() {
    return server.getInetAddress().getHostAddress() + ":" + server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = server.accept();
        connections.add(connection);
        Thread.ofVirtual().name("testkit-board").start(() -> answer(connection));
        if (server.isClosed()) {
          end(); // it was closed before this connection was known
        }
      }
    } catch (IOException closed) {
      end();
    }
  }

  private void answer(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      DataInputStream in =
          new DataInputStream(new BufferedInputStream(connection.getInputStream()));
      Answers answers =
          new Answers(new DataOutputStream(new BufferedOutputStream(connection.getOutputStream())));
      while (true) {
        Request request = Request.read(in);
        if (request.operation() == Operation.AWAIT_OPEN) {
          Thread.ofVirtual().name("testkit-gate").start(() -> answers.awaitOpen(board, request));
        } else {
          answers.send(new Reply(request.number(), carryOut(request)));
        }
      }
    } catch (IOException gone) {
      // Who asked has ended, or this server: there is nobody to be told.
      connections.remove(connection);
    }
  }

  private List<String> carryOut(Request request) {
    switch (request.operation()) {
      case ADD_GATE -> board.addGate(request.id());
      case ARRIVE -> board.arrive(request.id());
      case OPEN -> board.open(request.id());
      case NOTE -> board.note(request.id(), request.argument());
      case RELEASE_ALL -> board.releaseAll();
      case ARRIVALS -> {
        return List.of(Integer.toString(board.arrivals(request.id())));
      }
      case NOTES -> {
        return board.notes(request.id());
      }
      case AWAIT_OPEN -> throw new IllegalArgumentException(request + " takes its time");
    }
    return List.of();
  }

  /** The way back to who asked. */
  private record Answers(DataOutputStream out) {
    void send(Reply reply) throws IOException {
      synchronized (out) {
        reply.write(out);
        out.flush();
      }
    }

    void awaitOpen(SignalBoard board, Request request) {
      try {
        Duration atMost = Duration.ofNanos(Long.parseLong(request.argument()));
        boolean open = board.awaitOpen(request.id(), atMost);
        send(new Reply(request.number(), List.of(Boolean.toString(open))));
      } catch (IOException gone) {
        // Who waited has ended, and its connection says so to the thread that reads from it.
      } catch (InterruptedException e) {
        throw new IllegalStateException("nobody knows this thread to interrupt it", e);
      }
    }
  }

  /**
   * Ends the server and its connections; who waits for an answer gets an error. Idempotent. Nobody
   * can connect any more when this returns, which the end of the accepting thread decides.
   */
  @Override
  public void close() {
    end();
    boolean interrupted = false;
    while (acceptor.isAlive()) {
      try {
        acceptor.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void end() {
    try {
      server.close();
      for (Socket connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close the board", e);
    }
  }
}
