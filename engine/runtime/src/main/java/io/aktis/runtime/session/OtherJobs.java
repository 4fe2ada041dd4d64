package io.aktis.runtime.session;

import io.aktis.runtime.port.ClusterPort;
import io.aktis.wire.message.JobMessage;
import io.aktis.wire.message.Mail;
import io.aktis.wire.message.NameReply;

/**
 * What this job has to do with others of its cluster: names are unique among all of them, each may
 * call the named actors of the others, and detached actors are made by a job that outlives this
 * one. Its parts say who may call them; what comes from outside comes on the owner's loop.
 */
final class OtherJobs implements JobLinks.Listener {
  private final Names names;
  private final JobLinks links;
  private final Loans loans;
  private final ForeignActors actors;
  private final ForeignCallers callers;
  private final Keepers keepers;
  private volatile boolean keeper;

  OtherJobs(OwnerKernel kernel, ClusterPort port) {
    names = new Names(kernel);
    links = new JobLinks(kernel, this);
    loans = new Loans(kernel, links::send);
    actors = new ForeignActors(kernel, links, loans);
    callers = new ForeignCallers(kernel, links, loans);
    keepers = new Keepers(kernel, port, actors);
  }

  Names names() {
    return names;
  }

  ForeignActors actors() {
    return actors;
  }

  Loans loans() {
    return loans;
  }

  Keepers keepers() {
    return keepers;
  }

  /** This job makes and keeps actors for another one, which is told so. On the loop. */
  void keepFor(long owner) {
    keeper = true;
    links.send(owner, JobMessage.newBuilder().setKeeper(true));
  }

  /** Tells whether this job makes actors for others. Any thread. */
  boolean isKeeper() {
    return keeper;
  }

  // ---- what comes in --------------------------------------------------------------------------

  @Override
  public void received(long owner, JobMessage message) {
    switch (message.getWhatCase()) {
      case ACTOR, OUTCOME, TEXT, DONE, REFUSED -> actors.answered(message);
      case KEEPER -> keepers.found(owner);
      default -> callers.received(owner, message);
    }
  }

  @Override
  public void lost(long owner, boolean ended) {
    actors.lost(owner, ended);
    callers.lost(owner);
    loans.lost(owner);
    keepers.lost(owner, ended);
  }

  void mail(RemoteNode via, Mail mail) {
    links.received(via, mail);
  }

  void noOwner(RemoteNode via, long owner) {
    links.noOwner(via, owner);
  }

  void named(RemoteNode node, NameReply reply) {
    names.answered(node, reply);
  }

  void leads(RemoteNode node, long epoch) {
    names.leads(node, epoch);
  }

  void nodeGone(RemoteNode node) {
    names.nodeGone(node);
    links.nodeGone(node);
    loans.nodeGone(node.id());
  }

  /** The session ends: nobody waits for anything of others any more. */
  void close() {
    names.close();
    actors.close();
    keepers.close();
    links.close();
  }
}
