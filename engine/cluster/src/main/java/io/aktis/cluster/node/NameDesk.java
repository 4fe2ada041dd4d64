package io.aktis.cluster.node;

import io.aktis.core.name.Name;
import io.aktis.core.name.NameAnswer;
import io.aktis.core.name.NameEffect;
import io.aktis.core.name.NameEvent;
import io.aktis.core.name.NameMachine;
import io.aktis.wire.message.GivenName;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.Mail;
import io.aktis.wire.message.NameAbsent;
import io.aktis.wire.message.NameHolder;
import io.aktis.wire.message.NameReply;
import io.aktis.wire.message.NameRequest;
import io.aktis.wire.message.NamedThing;
import io.aktis.wire.message.NodeToOwner;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What owners want of each other: hosts the directory of names, on the head, and carries mail from
 * one owner to another, on every node. Belongs to the loop.
 */
final class NameDesk {
  private final NodeLoop loop;

  /** The owners that are connected here, by their numbers. */
  private final Map<Long, OwnerSession> owners;

  /** {@code null} where this node is not the head. */
  private @Nullable NameMachine names;

  NameDesk(NodeLoop loop, Map<Long, OwnerSession> owners) {
    this.loop = loop;
    this.owners = owners;
  }

  /**
   * This node is the head from now on.
   *
   * @param settleMs how long owners may take to tell the names that they had with the head before;
   *     0 when there was none
   */
  void lead(long settleMs) {
    names = new NameMachine(loop.nowMs() + settleMs);
  }

  /** This node is not the head any more. */
  void resign() {
    names = null;
  }

  /** An owner asks about a name. */
  void received(OwnerSession session, long owner, NameRequest request) {
    if (names == null) {
      session.send(
          NodeToOwner.newBuilder()
              .setName(NameReply.newBuilder().setNumber(request.getNumber()).setNotTheHead(true)));
      return;
    }
    tell(event(owner, request));
  }

  private static NameEvent event(long owner, NameRequest request) {
    long number = request.getNumber();
    return switch (request.getWhatCase()) {
      case CLAIM -> claimed(owner, number, request.getClaim(), false);
      case CLAIM_AGAIN -> claimed(owner, number, request.getClaimAgain(), true);
      case FORGET -> {
        NamedThing gone = request.getForget();
        yield new NameEvent.Forgotten(
            owner, number, name(gone.getName()), gone.getId().getNumber());
      }
      case FIND -> new NameEvent.Asked(owner, number, name(request.getFind()));
      case WHAT_NOT_SET ->
          throw new IllegalArgumentException("a request about a name is not known here");
    };
  }

  private static NameEvent claimed(long owner, long number, NamedThing claim, boolean again) {
    LeaseDesk.own(owner, claim.getId());
    return new NameEvent.Claimed(
        owner, number, name(claim.getName()), claim.getId().getNumber(), again);
  }

  private static Name name(GivenName message) {
    if (message.getName().isEmpty() || message.getNamespace().isEmpty()) {
      throw new IllegalArgumentException("a name and its namespace must not be empty");
    }
    Name.Kind kind = message.getGroup() ? Name.Kind.PLACEMENT_GROUP : Name.Kind.ACTOR;
    return new Name(kind, message.getNamespace(), message.getName());
  }

  /** The stream of an owner has ended. */
  void ownerGone(long owner) {
    tell(new NameEvent.OwnerGone(owner));
  }

  /** Time has passed. */
  void tick() {
    tell(new NameEvent.Tick());
  }

  private void tell(NameEvent event) {
    NameMachine machine = names;
    if (machine != null) {
      machine.on(event, loop.nowMs(), this::carryOut);
    }
  }

  private void carryOut(NameEffect effect) {
    switch (effect) {
      case NameEffect.Answer(long owner, long request, NameAnswer answer) -> {
        OwnerSession session = owners.get(owner);
        if (session != null && !session.over) {
          session.send(NodeToOwner.newBuilder().setName(reply(answer).setNumber(request)));
        }
      }
    }
  }

  private static NameReply.Builder reply(NameAnswer answer) {
    NameReply.Builder reply = NameReply.newBuilder();
    return switch (answer) {
      case NameAnswer.Done _ -> reply.setDone(true);
      case NameAnswer.Held held ->
          reply.setHolder(
              NameHolder.newBuilder()
                  .setOwner(held.owner())
                  .setId(Id.newBuilder().setOwner(held.owner()).setNumber(held.number())));
      case NameAnswer.Absent absent ->
          reply.setAbsent(NameAbsent.newBuilder().addAllElsewhere(absent.elsewhere()));
    };
  }

  /** An owner has mail for another one. */
  void forward(OwnerSession from, long sender, Mail mail) {
    OwnerSession to = owners.get(mail.getOwner());
    if (to == null || to.over) {
      from.send(NodeToOwner.newBuilder().setNoOwner(mail.getOwner()));
    } else {
      to.send(NodeToOwner.newBuilder().setMail(mail.toBuilder().setOwner(sender)));
    }
  }
}
