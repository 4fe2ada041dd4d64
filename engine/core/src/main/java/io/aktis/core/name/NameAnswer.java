package io.aktis.core.name;

import io.aktis.core.id.ActorId;
import java.util.List;

/** What comes of a request about a name. */
public sealed interface NameAnswer {
  /** It is done: the name is claimed, or forgotten. */
  record Done() implements NameAnswer {}

  /**
   * The name is that of an actor: found, or taken when it was claimed.
   *
   * @param owner who owns the actor
   */
  record Held(long owner, ActorId actor) implements NameAnswer {}

  /**
   * There is no actor of that name in the namespace.
   *
   * @param elsewhere the namespaces in which there is one, sorted
   */
  record Absent(List<String> elsewhere) implements NameAnswer {}
}
