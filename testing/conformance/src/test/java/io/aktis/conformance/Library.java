package io.aktis.conformance;

/** A library in the version that the program has. */
public final class Library {
  private Library() {}

  /** Returns which version it is. */
  public static String version() {
    return "the program's";
  }
}
