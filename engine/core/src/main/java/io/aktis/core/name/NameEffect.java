package io.aktis.core.name;

/** What a {@link NameMachine} wants done. */
public sealed interface NameEffect {
  /** Answer a request of an owner. */
  record Answer(long owner, long request, NameAnswer answer) implements NameEffect {}
}
