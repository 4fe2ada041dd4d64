package io.aktis.core.name;

import java.util.List;

/** What comes of a request about a name. */
public sealed interface NameAnswer {
  /** It is done: the name is claimed, or forgotten. */
  record Done() implements NameAnswer {}

  /**
   * Something has the name: found, or taken when it was claimed.
   *
   * @param owner who owns it
   * @param number which it is, among all that the owner makes of that kind
   */
  record Held(long owner, long number) implements NameAnswer {}

  /**
   * Nothing has that name in the namespace.
   *
   * @param elsewhere the namespaces in which something of the kind has it, sorted
   */
  record Absent(List<String> elsewhere) implements NameAnswer {}
}
