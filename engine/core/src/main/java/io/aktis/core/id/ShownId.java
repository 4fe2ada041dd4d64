package io.aktis.core.id;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An id of this package in the form in which people see it, and may hand it back. The form has a
 * part of the owner's number only, so owners are told apart by {@link #isOf}.
 *
 * @param kind what it names; a value is named by its task and an index, which is left out here
 * @param owner the part of the owner's number, in hexadecimal
 * @param number counts what the owner has named
 */
public record ShownId(Kind kind, String owner, long number) {
  private static final Pattern FORM =
      Pattern.compile("(task|object|actor|group)-([0-9a-f]{8})-([0-9a-f]{1,10})(\\.[0-9]+)?");

  /** What ids name that people may ask about. */
  public enum Kind {
    /** See {@link TaskId}. */
    TASK,
    /** See {@link ObjectId}. */
    OBJECT,
    /** See {@link ActorId}. */
    ACTOR,
    /** See {@link GroupId}. */
    GROUP
  }

  /** Reads an id; null when the text is none. */
  public static @Nullable ShownId parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    Kind kind = Kind.valueOf(parts.group(1).toUpperCase(Locale.ROOT));
    if (parts.group(4) != null && kind != Kind.OBJECT) {
      return null;
    }
    return new ShownId(kind, parts.group(2), Long.parseLong(parts.group(3), 16));
  }

  /** Returns whether the id can be one of that owner. */
  public boolean isOf(long ownerNumber) {
    return Hex.owner(ownerNumber).equals(owner);
  }
}
