package io.aktis.runtime.session;

import io.aktis.ActorUnavailableException;
import io.aktis.CallerInterruptedException;
import io.aktis.SessionClosedException;
import io.aktis.core.name.Name;
import io.aktis.wire.message.GivenName;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.NameReply;
import io.aktis.wire.message.NameRequest;
import io.aktis.wire.message.NamedThing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the head of the cluster about names of actors and placement groups. The head may change:
 * what was not answered is asked again, and the names that this owner has are told to each new one.
 *
 * <p>Callers wait in their own thread; all state is confined to the owner's loop.
 */
final class Names {
  /** So long a cluster may be without a head before callers are told. */
  private static final long HEAD_TIMEOUT_MS = 30_000;

  private static final long ASK_AGAIN_MS = 500;

  /** A request that is not answered, and who waits for it. */
  private record Pending(NameRequest request, CompletableFuture<NameReply> reply) {}

  private final OwnerKernel kernel;
  private final Map<Name, Long> own = new LinkedHashMap<>();
  private final Map<Long, Pending> pending = new LinkedHashMap<>();
  private long lastNumber;
  private @Nullable RemoteNode head;
  private long headEpoch;
  private boolean closed;

  Names(OwnerKernel kernel) {
    this.kernel = kernel;
  }

  // ---- callers --------------------------------------------------------------------------------

  /**
   * Claims a name for what is about to be made; waits for the answer.
   *
   * @param number of what is to have it, as this owner counts
   * @return who has it: nobody else when it is done
   * @throws ActorUnavailableException when there is no head to answer
   */
  NameReply claim(Name name, long number) {
    CompletableFuture<NameReply> reply = new CompletableFuture<>();
    NamedThing named = named(name, number);
    kernel.onLoop(() -> {
      own.put(name, number); // before the answer: who asks again must claim it again
      ask(NameRequest.newBuilder().setClaim(named), reply);
    });
    try {
      NameReply answer = await(reply);
      if (!answer.getDone()) {
        kernel.onLoop(() -> own.remove(name, number));
      }
      return answer;
    } catch (CallerInterruptedException | ActorUnavailableException e) {
      kernel.onLoop(() -> forget(name, number, () -> {})); // it may have been granted
      throw e;
    }
  }

  /** Returns who has a name; waits for the answer. */
  NameReply find(Name name) {
    CompletableFuture<NameReply> reply = new CompletableFuture<>();
    kernel.onLoop(() -> ask(NameRequest.newBuilder().setFind(message(name)), reply));
    return await(reply);
  }

  private NameReply await(CompletableFuture<NameReply> reply) {
    Waits waits = kernel.session().waits();
    return waits.whileLending(waits.currentRun(), List::of, () -> get(reply));
  }

  private NameReply get(CompletableFuture<NameReply> reply) throws InterruptedException {
    try {
      return reply.get(HEAD_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw sessionIsClosed(); // nothing else fails it
    } catch (TimeoutException e) {
      throw new ActorUnavailableException(
          "The head of the cluster, which knows all names, has not answered for "
              + HEAD_TIMEOUT_MS / 1000
              + " s; what has no name can be made without it.",
          e,
          List.of());
    }
  }

  // ---- on the loop ----------------------------------------------------------------------------

  /** Frees a name that is not needed any more; {@code done} is run when the head has noted it. */
  void forget(Name name, long number, Runnable done) {
    own.remove(name, number);
    CompletableFuture<NameReply> reply = new CompletableFuture<>();
    CompletableFuture<?> _ = reply.whenComplete((answer, failure) -> done.run());
    if (head == null) {
      reply.complete(NameReply.getDefaultInstance()); // the next head never hears of it
    } else {
      ask(NameRequest.newBuilder().setForget(named(name, number)), reply);
    }
  }

  private void ask(NameRequest.Builder request, CompletableFuture<NameReply> reply) {
    if (closed) {
      reply.completeExceptionally(sessionIsClosed());
      return;
    }
    NameRequest numbered = request.setNumber(++lastNumber).build();
    pending.put(lastNumber, new Pending(numbered, reply));
    if (head != null) {
      head.ask(numbered);
    }
  }

  private SessionClosedException sessionIsClosed() {
    return new SessionClosedException("Session " + kernel.sessionId() + " is closed.");
  }

  /** The head has answered; answers to what was asked of an earlier one may come late. */
  void answered(RemoteNode node, NameReply reply) {
    if (reply.getNotTheHead()) {
      kernel
          .timers()
          .after(ASK_AGAIN_MS, () -> kernel.onLoop(() -> askAgain(node, reply.getNumber())));
      return;
    }
    Pending waiting = pending.remove(reply.getNumber());
    if (waiting != null) {
      waiting.reply.complete(reply);
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same node, not an equal one
  private void askAgain(RemoteNode node, long number) {
    Pending waiting = pending.get(number);
    if (waiting != null && head == node) {
      node.ask(waiting.request);
    }
  }

  /** A node says which head it is, counted from 1; the last one counts. */
  void leads(RemoteNode node, long epoch) {
    if (epoch <= headEpoch) {
      return;
    }
    boolean first = headEpoch == 0 && own.isEmpty();
    head = node;
    headEpoch = epoch;
    if (!first) {
      own.forEach(this::claimAgain);
    }
    pending.values().forEach(waiting -> node.ask(waiting.request));
  }

  private void claimAgain(Name name, long number) {
    CompletableFuture<NameReply> reply = new CompletableFuture<>();
    CompletableFuture<?> _ =
        reply.thenAccept(answer -> {
          if (answer.hasHolder()) {
            Log.LOG.error(
                "The name '{}' was given to somebody else while this program was cut off from the"
                    + " head; what had it lives on without it.",
                name.name());
          }
        });
    ask(NameRequest.newBuilder().setClaimAgain(named(name, number)), reply);
  }

  @SuppressWarnings("ReferenceEquality") // the same node, not an equal one
  void nodeGone(RemoteNode node) {
    if (head == node) {
      head = null;
      pending
          .values()
          .removeIf(waiting -> {
            boolean forgets = waiting.request.hasForget();
            if (forgets) {
              waiting.reply.complete(NameReply.getDefaultInstance());
            }
            return forgets;
          });
    }
  }

  /** The session ends: nobody waits any more. */
  void close() {
    closed = true;
    List<Pending> all = List.copyOf(pending.values());
    pending.clear();
    all.forEach(waiting -> waiting.reply.completeExceptionally(sessionIsClosed()));
  }

  private NamedThing named(Name name, long number) {
    return NamedThing.newBuilder()
        .setName(message(name))
        .setId(Id.newBuilder().setOwner(kernel.ownerNumber()).setNumber(number))
        .build();
  }

  private static GivenName message(Name name) {
    return GivenName.newBuilder()
        .setNamespace(name.namespace())
        .setName(name.name())
        .setGroup(name.kind() == Name.Kind.PLACEMENT_GROUP)
        .build();
  }
}
