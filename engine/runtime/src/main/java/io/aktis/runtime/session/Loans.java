package io.aktis.runtime.session;

import com.google.protobuf.ByteString;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.Outcome;
import io.aktis.core.owner.OwnedObject;
import io.aktis.core.owner.OwnerEvent;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.port.Location;
import io.aktis.wire.message.JobMessage;
import io.aktis.wire.message.Stored;
import io.aktis.wire.value.Encoded;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Stored objects that pass between jobs. They stay where they are and stay their owner's: who gets
 * one has an object of its own that names it, and says when that is let go. Confined to the owner's
 * loop.
 */
final class Loans {
  /** An object of this owner that another one uses, as often as it was sent. */
  private static final class Lent {
    final OwnedObject object;
    int count;

    Lent(OwnedObject object) {
      this.object = object;
    }
  }

  private record LentTo(long owner, ObjectId object) {}

  /** What an object of this owner names. */
  private record Borrowed(long owner, ObjectId object, NodeId at) {}

  private final OwnerKernel kernel;
  private final BiConsumer<Long, JobMessage.Builder> send;
  private final Map<LentTo, Lent> lent = new HashMap<>();
  private final Map<ObjectId, Borrowed> borrowed = new HashMap<>();

  /**
   * Makes an empty book.
   *
   * @param send sends a message to another owner
   */
  Loans(OwnerKernel kernel, BiConsumer<Long, JobMessage.Builder> send) {
    this.kernel = kernel;
    this.send = send;
  }

  /** Lends an object to another owner; returns what to tell of it. */
  Stored lend(long owner, OwnedObject object, Outcome.Stored stored) {
    ObjectId name = ((StoredValue) stored.value()).id(); // another than its own when it is borrowed
    lent.computeIfAbsent(new LentTo(owner, name), ignored -> new Lent(object)).count++;
    kernel.follow(new OwnerEvent.Retained(List.of(object)));
    return kernel.wire().message(stored);
  }

  /** Another owner does not use an object any more that was lent to it under that name. */
  void letGo(long owner, ObjectId id) {
    LentTo key = new LentTo(owner, id);
    Lent loan = lent.get(key);
    if (loan == null) {
      return; // the link was lost in between, and all loans with it
    }
    if (--loan.count == 0) {
      lent.remove(key);
    }
    kernel.follow(new OwnerEvent.Released(List.of(loan.object)));
  }

  /**
   * Returns an outcome that another owner tells, for an object of this one.
   *
   * @throws IllegalArgumentException when references are in it, which belong to another job
   */
  Outcome outcome(long owner, ObjectId own, io.aktis.wire.message.Outcome message) {
    return switch (message.getWhatCase()) {
      case VALUE -> new Outcome.Inline(value(message.getValue()), List.of());
      case STORED -> borrow(owner, own, message.getStored());
      case FAILURE -> kernel.wire().failure(message.getFailure());
      case WHAT_NOT_SET -> throw new IllegalArgumentException("it has nothing in it");
    };
  }

  /**
   * Returns a value that another owner sends.
   *
   * @throws IllegalArgumentException when references are in it, which belong to another job
   */
  static Encoded value(ByteString bytes) {
    Encoded value = Encoded.open(bytes.toByteArray());
    checkForReferences(value.handleIds().size());
    return value;
  }

  private static void checkForReferences(int count) {
    if (count > 0) {
      throw new IllegalArgumentException(
          "it holds references or handles, which belong to the other job");
    }
  }

  /** Takes what another owner lends, as the value of an object of this one. */
  private Outcome.Stored borrow(long owner, ObjectId own, Stored stored) {
    checkForReferences(stored.getHandlesCount());
    ObjectId there = WireIds.object(stored.getObject());
    Location at = new Location(WireIds.node(stored.getNode()), stored.getAddress());
    borrowed.put(own, new Borrowed(owner, there, at.node()));
    return new Outcome.Stored(
        new StoredValue(at, there, List.of(), List.of()),
        at.node(),
        stored.getSizeBytes(),
        List.of());
  }

  /** An object of this owner is let go; tells whether it was borrowed, and needs no more. */
  boolean released(ObjectId own) {
    Borrowed loan = borrowed.remove(own);
    if (loan == null) {
      return false;
    }
    tellLetGo(loan);
    return true;
  }

  private void tellLetGo(Borrowed loan) {
    send.accept(loan.owner, JobMessage.newBuilder().setLetGo(WireIds.of(loan.object)));
  }

  /** The objects on a node are gone; those that were borrowed need not be let go of any more. */
  void nodeGone(NodeId node) {
    borrowed
        .values()
        .removeIf(loan -> {
          boolean there = loan.at.equals(node);
          if (there) {
            tellLetGo(loan);
          }
          return there;
        });
  }

  /** Another owner is gone, or knows nothing any more of what it was lent. */
  void lost(long owner) {
    lent.entrySet()
        .removeIf(entry -> {
          boolean its = entry.getKey().owner == owner;
          for (int i = 0; its && i < entry.getValue().count; i++) {
            kernel.follow(new OwnerEvent.Released(List.of(entry.getValue().object)));
          }
          return its;
        });
  }
}
