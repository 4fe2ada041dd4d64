package io.aktis.core.transfer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From whom each reader of one object reads it. At the root is the node that had it first; each
 * source serves a few readers at once, and a reader is a source for others from the moment it
 * begins, with the part that it has, and stays one when it has all. So the readers form a tree, and
 * the time until all have the object grows with its depth, not with their number.
 *
 * <p>A reader whose source fails gets another one, never one that waits for that reader's own
 * bytes. Who finds no source waits for the next that has room; as every reader that reads brings
 * room for {@code maxReaders}, that happens after failures only.
 *
 * <p>Readers are numbers that the caller makes; each joins once. Deterministic; confined to one
 * thread at a time.
 */
public final class BroadcastTree {
  /** The source that had the object first. */
  public static final long ROOT = 0;

  private static final long NONE = -1;

  /** So many that have it all are remembered. */
  private static final int MAX_HOLDERS = 32;

  /**
   * From whom a reader is to read from now on.
   *
   * @param reader who reads
   * @param source a reader that joined before, or {@link #ROOT}
   */
  public record Route(long reader, long source) {}

  private static final class Member {
    final long id;
    final Set<Long> failed = new LinkedHashSet<>();
    long source = NONE;
    int readers;
    boolean done;
    boolean serves = true;

    /** Has dropped its copy, or is gone; known as long as somebody may still read from it. */
    boolean lost;

    Member(long id) {
      this.id = id;
    }

    boolean isWaiting() {
      return !done && source == NONE;
    }
  }

  private final int maxReaders;
  private final Member root = new Member(ROOT);

  /** In the order in which they joined, and the root first. */
  private final Map<Long, Member> members = new LinkedHashMap<>();

  /**
   * Makes a tree of the root alone.
   *
   * @param maxReaders how many a source serves at once
   */
  public BroadcastTree(int maxReaders) {
    if (maxReaders < 1) {
      throw new IllegalArgumentException("a source serves at least one, not " + maxReaders);
    }
    this.maxReaders = maxReaders;
    root.done = true;
    members.put(ROOT, root);
  }

  /**
   * One begins to read.
   *
   * @param reader a number above 0 that has not been used
   * @param serves whether others can read from it
   * @return the routes to tell; none for this reader when it has to wait
   */
  public List<Route> join(long reader, boolean serves) {
    return joinAgain(reader, serves, ROOT);
  }

  /**
   * One that has read before, or still did, begins anew under another number: it was cut off, or
   * has dropped what it had. Who reads from it goes on to, and gets what it gets.
   *
   * @param reader as for {@link #join}
   * @param serves as for {@link #join}
   * @param before its number until now, {@link #ROOT} for none
   * @return the routes to tell
   */
  public List<Route> joinAgain(long reader, boolean serves, long before) {
    if (reader <= ROOT || members.containsKey(reader)) {
      throw new IllegalArgumentException("no number for another reader: " + reader);
    }
    Member member = new Member(reader);
    member.serves = serves;
    if (before != ROOT) {
      replace(before, member);
    }
    members.put(reader, member);
    return place();
  }

  private void replace(long before, Member now) {
    Member old = members.remove(before);
    if (old != null) {
      detach(old);
    }
    for (Member member : members.values()) {
      if (member.source == before) { // also when it was forgotten since
        member.source = now.id;
        now.readers++;
      }
    }
  }

  /** The source of a reader did not give what it should; the reader needs another one. */
  public List<Route> failed(long reader) {
    Member member = members.get(reader);
    if (member == null || member.done || member.source == NONE) {
      return List.of();
    }
    Member source = members.get(member.source);
    if (member.source != ROOT) {
      member.failed.add(member.source);
    }
    if (source != null && source != root && source.done) {
      source.lost = true;
    }
    detach(member);
    return place();
  }

  /** A reader has it all. It stays a source until {@link #gone}. */
  public List<Route> done(long reader) {
    Member member = members.get(reader);
    if (member == null || member.done) {
      return List.of();
    }
    detach(member);
    member.done = true;
    forgetOldest();
    return place();
  }

  /** A reader reads no more and is no source either. */
  public List<Route> gone(long reader) {
    Member member = reader == ROOT ? null : members.remove(reader);
    if (member == null) {
      return List.of();
    }
    detach(member);
    return place();
  }

  /** Returns the readers that have all, or a part and read on: the former first. */
  public List<Long> holders() {
    List<Long> holders = new ArrayList<>();
    for (boolean done : new boolean[] {true, false}) {
      for (Member member : members.values()) {
        boolean has = !member.lost && !member.isWaiting();
        if (member != root && member.serves && has && member.done == done) {
          holders.add(member.id);
        }
      }
    }
    return holders;
  }

  /** Returns whether a reader reads, or is remembered as a source. */
  public boolean knows(long reader) {
    return members.containsKey(reader);
  }

  /** Returns whether a reader has it all and is still known. */
  public boolean hasAll(long reader) {
    Member member = members.get(reader);
    return member != null && member.done;
  }

  /** Returns how many read or wait. */
  public int readers() {
    return (int) members.values().stream().filter(member -> !member.done).count();
  }

  private void detach(Member member) {
    Member source = members.get(member.source);
    if (source != null) {
      source.readers--;
      if (source.lost && source.readers == 0) {
        members.remove(source.id);
      }
    }
    member.source = NONE;
  }

  private void forgetOldest() {
    List<Member> idle =
        members.values().stream().filter(m -> m != root && m.done && m.readers == 0).toList();
    for (int i = 0; i < idle.size() - MAX_HOLDERS; i++) {
      members.remove(idle.get(i).id);
    }
  }

  /** Finds sources for those that wait, in the order in which they joined. */
  private List<Route> place() {
    List<Route> routes = new ArrayList<>();
    for (Member member : members.values()) {
      if (member.isWaiting()) {
        Member source = sourceFor(member);
        if (source != null) {
          member.source = source.id;
          source.readers++;
          routes.add(new Route(member.id, source.id));
        }
      }
    }
    return routes;
  }

  /** The first that has room: those that joined early are near the root. */
  private @Nullable Member sourceFor(Member reader) {
    for (Member candidate : members.values()) {
      if (candidate != reader
          && candidate.serves
          && !candidate.lost
          && !candidate.isWaiting()
          && candidate.readers < maxReaders
          && !reader.failed.contains(candidate.id)
          && !dependsOn(candidate, reader)) {
        return candidate;
      }
    }
    return null;
  }

  /** Returns whether the bytes of one come through the other. */
  private boolean dependsOn(Member one, Member other) {
    for (Member at = one; at != null && !at.done; at = members.get(at.source)) {
      if (at == other) {
        return true;
      }
    }
    return false;
  }
}
