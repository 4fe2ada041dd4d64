package io.aktis.runtime.session;

import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.port.ClusterPort;
import io.aktis.wire.message.JobMessage;
import io.aktis.wire.message.Mail;
import io.aktis.wire.message.NameReply;

/**
 * What this job has to do with others of its cluster: names are unique among all of them, each may
 * call the named actors of the others and use their named placement groups, and detached ones are
 * made by a job that outlives this one. Its parts say who may call them; what comes from outside
 * comes on the owner's loop.
 */
final class OtherJobs implements JobLinks.Listener {
  private final Names names;
  private final JobLinks links;
  private final Loans loans;
  private final JobRequests requests;
  private final ForeignActors actors;
  private final ForeignCallers callers;
  private final ForeignGroups groups;
  private final GroupUsers groupUsers;
  private final Keepers keepers;
  private volatile boolean keeper;
  private volatile boolean asked;

  OtherJobs(OwnerKernel kernel, ClusterPort port) {
    names = new Names(kernel);
    links = new JobLinks(kernel, this);
    loans = new Loans(kernel, links::send);
    requests = new JobRequests(kernel, links);
    JobReplies replies = new JobReplies(kernel, links);
    actors = new ForeignActors(kernel, requests, loans);
    callers = new ForeignCallers(kernel, replies, loans);
    groups = new ForeignGroups(kernel, requests, loans);
    groupUsers = new GroupUsers(kernel, replies);
    keepers = new Keepers(kernel, port, actors, groups);
  }

  Names names() {
    return names;
  }

  ForeignActors actors() {
    return actors;
  }

  ForeignGroups groups() {
    return groups;
  }

  GroupUsers groupUsers() {
    return groupUsers;
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

  /** A request of another job to make something was handled, well or not. Any thread. */
  void wasAsked() {
    asked = true;
  }

  /** Tells whether any other job has asked this one to make something. Any thread. */
  boolean isAsked() {
    return asked;
  }

  // ---- what comes in --------------------------------------------------------------------------

  @Override
  public void received(long owner, JobMessage message) {
    long number = message.getNumber();
    switch (message.getWhatCase()) {
      case ACTOR, GROUP, OUTCOME, TEXT, DONE, REFUSED -> requests.answered(message);
      case USE_GROUP -> groupUsers.use(owner, number, WireIds.group(message.getUseGroup()));
      case GROUP_READY -> groupUsers.ready(owner, number, WireIds.group(message.getGroupReady()));
      case REMOVE_GROUP ->
          groupUsers.remove(owner, number, WireIds.group(message.getRemoveGroup()));
      case CREATE_GROUP -> groupUsers.create(owner, number, message.getCreateGroup());
      case GROUP_GONE -> groups.gone(message.getGroupGone());
      case KEEPER -> keepers.found(owner);
      default -> callers.received(owner, message);
    }
  }

  @Override
  public void lost(long owner, boolean ended) {
    requests.lost(owner, ended);
    callers.lost(owner);
    groupUsers.lost(owner);
    groups.lost(owner, ended);
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

  void nodeUp(RemoteNode node, long headEpoch) {
    groups.nodeUp(node);
    names.leads(node, headEpoch);
  }

  void nodeGone(RemoteNode node) {
    names.nodeGone(node);
    links.nodeGone(node);
    loans.nodeGone(node.id());
  }

  /** The session ends: nobody waits for anything of others any more. */
  void close() {
    names.close();
    requests.close();
    actors.close();
    keepers.close();
    links.close();
  }
}
