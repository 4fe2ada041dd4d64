package io.aktis.simulation;

/**
 * Where a process can be reached; the same in all its lives.
 *
 * @param kind what it is
 * @param index counts those of its kind, from 0
 */
record Address(Kind kind, int index) {
  /** What a process is. */
  enum Kind {
    HEAD,
    NODE,
    OWNER
  }

  static final Address HEAD = new Address(Kind.HEAD, 0);

  static Address node(int index) {
    return new Address(Kind.NODE, index);
  }

  static Address owner(int index) {
    return new Address(Kind.OWNER, index);
  }

  /** Returns the number that an owner puts in its ids. */
  long ownerNumber() {
    return 100L + index;
  }

  static Address ofOwner(long ownerNumber) {
    return owner((int) (ownerNumber - 100));
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(java.util.Locale.ROOT) + index;
  }
}
