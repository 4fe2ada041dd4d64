package io.aktis.cluster.membership;

import io.aktis.cluster.rpc.HostPort;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of one node daemon, on Apache Pekko Cluster. Thread-safe; who starts it closes it,
 * from a thread that is not that of a {@link Membership.Listener}.
 *
 * <h2>Who is there</h2>
 *
 * <p>Each node sends heartbeats to a few others. One that is silent for more than about ten seconds
 * is unreachable, and may still come back. If it stays so for three more, the side with more nodes
 * removes the other (see {@link HeadMajority}), and those who are removed end themselves: {@link
 * MembershipConfig#onDowned()}. So a killed process is gone for the others after 13 to 15 seconds,
 * and after 11 when one of them runs on the same machine and can see that it is dead. A node that
 * closes is gone for the others in well under two seconds. Another life of a daemon at the same
 * control address takes the place of the earlier one at once.
 *
 * <h2>What keeps strangers out</h2>
 *
 * <p>It listens on the control host alone. The session, the token and the version of the protocol
 * are hashed into the name of the actor system, which is part of every address: a message to
 * another name is dropped and logged. Messages reach the actors of the cluster protocol only, and
 * none is read with Java serialization. But the hash travels in the open, so whoever can read the
 * network can take part, and a token that can be guessed can be found from it. On a network that is
 * not trusted the connections need {@linkplain MembershipConfig#tls() TLS}: then only who has a
 * certificate of the cluster's CA can connect, and nobody else can read.
 */
public final class PekkoMembership implements Membership {
  private static final Logger LOG = LoggerFactory.getLogger(PekkoMembership.class);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int PROBE_TIMEOUT_MS = 2_000;

  /** Short: silence is the usual answer, and the join timeout is over already. */
  private static final int TLS_PROBE_TIMEOUT_MS = 300;

  private static final int LEAVE_TIMEOUT_MS = 3_000;
  private static final int END_TIMEOUT_MS = 10_000;

  private final MembershipConfig config;
  private final String session;
  private final ActorSystem system;
  private final Cluster cluster;
  private final Roster roster = new Roster();
  private final CountDownLatch upOrEnded = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Set by whoever decides first why this ends: a close, or the removal by others. */
  private final AtomicBoolean ending = new AtomicBoolean();

  private volatile boolean up;

  private PekkoMembership(MembershipConfig config, String session, ActorSystem system) {
    this.config = config;
    this.session = session;
    this.system = system;
    this.cluster = Cluster.get(system);
  }

  /**
   * Begins to read what {@link #start} needs, on a thread of its own. Returns at once. A start
   * without it, or before it is done, is as good and only takes longer.
   */
  public static void prepare() {
    Thread.ofPlatform().daemon().name("aktis-membership-settings").start(PekkoSystem::common);
  }

  /**
   * Makes this node a member, of the cluster of the seeds or of a new one. Returns when it is one,
   * and knows the others.
   *
   * @throws JoinException when that does not work out; nothing of it is left then
   * @throws InterruptedException when the calling thread is interrupted; nothing is left then
   */
  public static PekkoMembership start(MembershipConfig config)
      throws JoinException, InterruptedException {
    long deadlineNs = System.nanoTime() + config.joinTimeout().toNanos();
    checkSeeds(config, deadlineNs);
    String session = config.session().isEmpty() ? newSession() : config.session();
    ActorSystem system = PekkoSystem.create(config, session);
    PekkoMembership membership = new PekkoMembership(config, session, system);
    try {
      membership.join();
      membership.awaitUp(deadlineNs);
      return membership;
    } catch (JoinException | InterruptedException | RuntimeException e) {
      membership.close();
      throw e;
    }
  }

  private static String newSession() {
    byte[] bytes = new byte[8];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** One that can be connected to is enough. */
  private static void checkSeeds(MembershipConfig config, long deadlineNs) throws JoinException {
    List<String> seeds = config.seeds();
    List<String> problems = new ArrayList<>();
    for (String seed : seeds) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
      long shareMs = leftMs / (seeds.size() - problems.size());
      int timeoutMs = Math.clamp(shareMs, 1, PROBE_TIMEOUT_MS);
      HostPort at = HostPort.parse("a seed", seed);
      String problem = SeedProbe.connectProblem(at, timeoutMs);
      if (problem.isEmpty() && config.tls().isPresent()) {
        problem = SeedProbe.tlsProblem(at, config.tls().get(), timeoutMs);
      }
      if (problem.isEmpty()) {
        return;
      }
      problems.add(seed + " (" + problem + ")");
    }
    if (!seeds.isEmpty()) {
      throw new JoinException(
          JoinException.Reason.SEED_UNREACHABLE,
          "no member of the cluster can be reached at "
              + String.join(", ", problems)
              + "; is the cluster up, and may this machine connect to that port?");
    }
  }

  private void join() {
    system.getWhenTerminated().whenComplete((done, error) -> hasEnded());
    cluster.registerOnMemberRemoved(this::removed);
    system.actorOf(Watcher.props(roster, this::isUp), "watcher");
    if (config.seeds().isEmpty()) {
      cluster.join(cluster.selfAddress());
    } else {
      cluster.joinSeedNodes(config.seeds().stream().map(this::seedAddress).toList());
    }
  }

  private Address seedAddress(String seed) {
    HostPort at = HostPort.parse("a seed", seed);
    return new Address(
        cluster.selfAddress().protocol(), system.name(), HostPort.bracketed(at.host()), at.port());
  }

  private void isUp() {
    up = true;
    upOrEnded.countDown();
  }

  private void hasEnded() {
    removed();
    ended.countDown();
    upOrEnded.countDown();
  }

  private void awaitUp(long deadlineNs) throws JoinException, InterruptedException {
    boolean inTime = upOrEnded.await(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
    String seeds = String.join(", ", config.seeds());
    if (!inTime) {
      checkForTls();
      throw new JoinException(
          JoinException.Reason.TIMED_OUT,
          ("the cluster at %s did not make this node a member within %d ms. It answers, so look at:"
               + " the token or the session is not that of the cluster; it is another version of"
               + " Aktis; with TLS, it does not accept the certificate of this node; members cannot"
               + " connect to this node at %s; or the seed calls itself by another host name than"
               + " the one given here. The log of the seed says which address it drops messages"
               + " from")
              .formatted(seeds, config.joinTimeout().toMillis(), controlAddress()));
    }
    if (!up) {
      throw new JoinException(
          JoinException.Reason.REFUSED,
          "the cluster at "
              + seeds
              + " does not want this node: its settings or version differ; the log has the"
              + " details");
    }
  }

  private void checkForTls() throws JoinException {
    for (String seed : config.tls().isPresent() ? List.<String>of() : config.seeds()) {
      if (SeedProbe.wantsTls(HostPort.parse("a seed", seed), TLS_PROBE_TIMEOUT_MS)) {
        throw new JoinException(
            JoinException.Reason.REFUSED,
            "the cluster at " + seed + " uses TLS, and this node does not");
      }
    }
  }

  /** Returns the session of the cluster. */
  public String session() {
    return session;
  }

  /** Returns host and port that other nodes can use as a seed. */
  @Override
  public String controlAddress() {
    return Watcher.hostPort(cluster.selfAddress()).toString();
  }

  /** {@inheritDoc} After a close or a removal it stays as it was. */
  @Override
  public List<Member> members() {
    return roster.members();
  }

  /** {@inheritDoc} The ones that are there are told before this returns. */
  @Override
  public void listen(Listener listener) {
    roster.listen(listener);
  }

  /** Called when the cluster has no place for this node any more, for whatever reason. */
  private void removed() {
    if (!ending.compareAndSet(false, true)) {
      return;
    }
    roster.close();
    if (up) {
      LOG.error("this node was removed from the cluster of session {}", session);
      Thread.ofVirtual().name("aktis-downed").start(config.onDowned());
    }
  }

  /** Ends the part of a node that the others shall take for dead. For tests. */
  void down(Member member) {
    for (org.apache.pekko.cluster.Member peer : cluster.state().getMembers()) {
      if (Roles.read(peer.getRoles()).equals(member)) {
        cluster.down(peer.address());
      }
    }
  }

  /**
   * {@inheritDoc} Others count this node as gone as soon as they hear of it, so its work must have
   * ended before. Returns when the port and all threads are free, after three seconds if the others
   * do not confirm.
   */
  @Override
  public void close() {
    if (ending.compareAndSet(false, true)) {
      roster.close();
      leave();
    }
    boolean interrupted = Thread.interrupted();
    interrupted |= !awaitEnd(LEAVE_TIMEOUT_MS);
    system.terminate();
    interrupted |= !awaitEnd(END_TIMEOUT_MS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (ended.getCount() > 0) {
      throw new IllegalStateException("the membership at " + controlAddress() + " does not end");
    }
  }

  private void leave() {
    if (cluster.selfMember().status().equals(MemberStatus.removed())) {
      system.terminate(); // was never a member: there is nobody to tell
    } else {
      cluster.leave(cluster.selfAddress());
    }
  }

  /** Returns false when the thread was interrupted while waiting. */
  private boolean awaitEnd(int timeoutMs) {
    try {
      boolean inTime = ended.await(timeoutMs, TimeUnit.MILLISECONDS);
      LOG.debug("the actor system has{} ended", inTime ? "" : " not");
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }
}
