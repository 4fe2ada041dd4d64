package io.aktis.runtime.form;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.BundleId;
import io.aktis.core.id.GroupId;
import io.aktis.core.id.LeaseId;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import io.aktis.wire.message.Id;

/** Ids and resources as messages carry them, and back. */
public final class WireIds {
  private WireIds() {}

  private static Id id(long owner, long number) {
    return Id.newBuilder().setOwner(owner).setNumber(number).build();
  }

  /** Returns the form in which messages carry it. */
  public static Id of(ObjectId id) {
    return id(id.owner(), id.bits());
  }

  /** Returns the form in which messages carry it. */
  public static Id of(TaskId id) {
    return id(id.owner(), id.bits());
  }

  /** Returns the form in which messages carry it. */
  public static Id of(ActorId id) {
    return id(id.owner(), id.number());
  }

  /** Returns the form in which messages carry it. */
  public static Id of(LeaseId id) {
    return id(id.owner(), id.number());
  }

  /** Returns the form in which messages carry it. */
  public static Id of(NodeId id) {
    return id(id.owner(), id.number());
  }

  /** Returns the form in which messages carry it. */
  public static Id of(GroupId id) {
    return id(id.owner(), id.number());
  }

  /** Returns the form in which messages carry it. */
  public static io.aktis.wire.message.BundleId of(BundleId id) {
    return io.aktis.wire.message.BundleId.newBuilder()
        .setGroup(of(id.group()))
        .setIndex(id.index())
        .build();
  }

  /** Returns what a message carries. */
  public static ObjectId object(Id id) {
    return new ObjectId(id.getOwner(), id.getNumber());
  }

  /** Returns what a message carries. */
  public static TaskId task(Id id) {
    return new TaskId(id.getOwner(), id.getNumber());
  }

  /** Returns what a message carries. */
  public static ActorId actor(Id id) {
    return new ActorId(id.getOwner(), id.getNumber());
  }

  /** Returns what a message carries. */
  public static LeaseId lease(Id id) {
    return new LeaseId(id.getOwner(), id.getNumber());
  }

  /** Returns what a message carries. */
  public static NodeId node(Id id) {
    return new NodeId(id.getOwner(), id.getNumber());
  }

  /** Returns what a message carries. */
  public static GroupId group(Id id) {
    return new GroupId(id.getOwner(), id.getNumber());
  }

  /** Returns what a message carries. */
  public static BundleId bundle(io.aktis.wire.message.BundleId id) {
    return new BundleId(group(id.getGroup()), id.getIndex());
  }
}
