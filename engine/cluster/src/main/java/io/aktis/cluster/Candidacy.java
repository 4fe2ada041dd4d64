package io.aktis.cluster;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.aktis.cluster.control.ControlBatch;
import io.aktis.cluster.control.ControlPlace;
import io.aktis.cluster.control.ControlStore;
import io.aktis.cluster.node.HeadParts;
import io.aktis.cluster.rpc.Credentials;
import io.aktis.cluster.rpc.HostPort;
import io.aktis.cluster.session.ClusterAccess;
import io.aktis.cluster.session.ClusterClient;
import io.aktis.cluster.session.NodeDirectory;
import io.aktis.cluster.session.NodeSettings;
import io.aktis.core.id.NodeId;
import io.aktis.wire.message.KeptHead;
import io.aktis.wire.message.KeptMember;
import io.aktis.wire.message.StatusReply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What makes a node one that can be the head: its control store. Before the node joins, it finds in
 * there whom of the cluster it can join, so that a head that starts again does not begin a second
 * cluster beside the first. Methods wait; confined to the thread that starts the node, but for
 * {@link #close}.
 */
final class Candidacy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);
  private static final String HEAD = "head";
  private static final String MEMBERS = "members";

  /** How long a node that begins the cluster may take until others can join it. */
  private static final long FOUNDING_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final long POLL_MS = 300;

  private final NodeSettings settings;
  private final Credentials credentials;
  private final NodeId id;
  private final ControlStore store;
  private final Path jobsDir;
  private final boolean keepsJobs;
  private long founded;

  private Candidacy(
      NodeSettings settings,
      Credentials credentials,
      NodeId id,
      ControlStore store,
      Path jobsDir,
      boolean keepsJobs) {
    this.settings = settings;
    this.credentials = credentials;
    this.id = id;
    this.store = store;
    this.jobsDir = jobsDir;
    this.keepsJobs = keepsJobs;
  }

  /**
   * Opens the control store of a node.
   *
   * @param directory that of the node
   * @throws IOException when it cannot be opened, or is that of another cluster
   */
  static Candidacy open(NodeSettings settings, Credentials credentials, NodeId id, Path directory)
      throws IOException {
    ControlPlace place =
        settings
            .control()
            .orElseThrow(() -> new IllegalArgumentException("the node has no control store"));
    Optional<Path> folder = place.directory();
    ControlPlace database =
        folder.map(path -> ControlPlace.ofDirectory(path.resolve("rocksdb"))).orElse(place);
    ControlStore store = database.open(directory.resolve("control-library"));
    boolean opened = false;
    try {
      String session = store.session(settings.sessionId());
      if (!session.equals(settings.sessionId())) {
        throw new IOException(
            "the control store "
                + place
                + " is that of session "
                + session
                + ", and this node is of session "
                + settings.sessionId()
                + "; each cluster needs a control store of its own");
      }
      boolean keepsJobs = place.isShared() || folder.isPresent();
      Path jobsDir =
          keepsJobs
              ? folder.orElseGet(() -> new NodeDirectory(directory).session()).resolve("jobs")
              : directory.resolve("jobs");
      opened = true;
      return new Candidacy(settings, credentials, id, store, jobsDir, keepsJobs);
    } finally {
      if (!opened) {
        store.close();
      }
    }
  }

  /** Returns what the daemon needs. */
  HeadParts parts() {
    return new HeadParts(store, founded, jobsDir, keepsJobs);
  }

  // ---- whom to join ---------------------------------------------------------------------------

  /**
   * Finds the members of the cluster that are alive. When there are none, this node begins the
   * cluster: the store is claimed for that, so that no two nodes do.
   *
   * @return control addresses; none when this node begins the cluster
   * @throws IOException when the store does not work
   */
  List<String> findMembers() throws IOException {
    long seen = store.epoch();
    long sinceNanos = System.nanoTime();
    while (true) {
      long epoch = store.epoch();
      if (epoch != seen) {
        seen = epoch;
        sinceNanos = System.nanoTime();
      }
      List<String> alive = alive();
      if (!alive.isEmpty()) {
        LOG.info("this node joins members of its cluster that are alive: {}", alive);
        return alive;
      }
      boolean isBegun = isBeingBegun() && System.nanoTime() - sinceNanos < FOUNDING_NANOS;
      if (!isBegun && store.claim(epoch, founder(true))) {
        founded = epoch + 1;
        return List.of();
      }
      pause();
    }
  }

  private ControlBatch founder(boolean founding) {
    KeptHead head = KeptHead.newBuilder().setNode(id.toString()).setFounding(founding).build();
    return new ControlBatch().put(HEAD, HEAD, head);
  }

  /** Another node has found nobody alive just now, and others will be able to join it soon. */
  private boolean isBeingBegun() throws IOException {
    ByteString head = store.read(HEAD).get(HEAD);
    return store.isShared() && head != null && KeptHead.parseFrom(head).getFounding();
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(POLL_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the node looks for its cluster", e);
    }
  }

  /** Asks all that were members when that was written last. */
  private List<String> alive() throws IOException {
    List<String> alive = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> asked = new ArrayList<>();
      for (ByteString member : store.read(MEMBERS).values()) {
        String address = address(member);
        asked.add(threads.submit(() -> controlAddressOf(address)));
      }
      for (Future<String> each : asked) {
        String control = each.get();
        if (!control.isEmpty()) {
          alive.add(control);
        }
      }
      return alive;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the node looks for its cluster", e);
    } catch (ExecutionException e) {
      throw new IOException("the members of the cluster cannot be asked: " + e.getCause(), e);
    }
  }

  private static String address(ByteString member) throws InvalidProtocolBufferException {
    return KeptMember.parseFrom(member).getAddress();
  }

  /** Returns where a member can be joined; empty when it is not there, or is another cluster's. */
  private String controlAddressOf(String address) {
    ClusterAccess access =
        new ClusterAccess(
            HostPort.parse("the address of a head", address),
            credentials.token(),
            credentials.tls());
    try (ClusterClient client = ClusterClient.open(access)) {
      StatusReply status = client.status(true);
      return status.getSessionId().equals(settings.sessionId()) ? status.getControlAddress() : "";
    } catch (IllegalStateException e) {
      LOG.info("the former member at {} is not there: {}", address, e.getMessage());
      return "";
    }
  }

  /** Lets another node begin the cluster when this one has not been able to. Idempotent. */
  @Override
  public void close() {
    try {
      ByteString head = founded == 0 ? null : store.read(HEAD).get(HEAD);
      if (head != null && KeptHead.parseFrom(head).getFounding()) {
        store.write(founded, founder(false));
      }
    } catch (IOException e) {
      LOG.warn("the next start may have to wait for a while: {}", e.getMessage());
    } finally {
      founded = 0;
      store.close();
    }
  }
}
