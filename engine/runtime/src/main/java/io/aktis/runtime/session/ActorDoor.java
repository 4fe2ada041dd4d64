package io.aktis.runtime.session;

import io.aktis.ActorHandle;
import io.aktis.ActorOptions;
import io.aktis.core.owner.Actor;
import io.aktis.spi.Work;
import io.aktis.wire.message.ForeignCall;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What callers and actors themselves do with actors beside calling them. Thread-safe. */
interface ActorDoor {
  <A> ActorHandle<A> create(Work work, ActorOptions options, boolean getOrCreate);

  <A> ActorHandle<A> find(Class<A> type, String name, String namespace);

  /** Ends an actor at once; returns when its name is free. */
  void kill(ActorEntry entry);

  /** Loses an actor as if its process had died. */
  void lose(ActorEntry entry);

  /**
   * Takes room for one more call of an actor that limits them; waits for it where the actor says
   * so.
   *
   * @return false when there is none and the actor does not wait
   */
  boolean takeRoom(ActorEntry entry, @Nullable Run caller);

  /** The last handle on an actor is closed that keeps it alive. Any thread. */
  void released(ActorEntry entry);

  /**
   * Makes a call of an actor of another job; its arguments are held until it is done.
   *
   * @param call what is called, without its arguments
   * @return what is settled with the result
   */
  Cell callForeign(ActorEntry entry, ForeignCall.Builder call, Prepared code);

  /** Returns the name that an actor was given, if any. */
  Optional<String> nameOf(Actor actor);

  /** Keeps what an actor wants to find again in its next life. */
  void saveCheckpoint(Actor actor, Object state);

  /** Returns what the actor has saved last. */
  Optional<Object> checkpoint(Actor actor);
}
