package io.aktis.cluster.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the clusters of one user leave on this machine, so that they can be found and ended. No
 * other user can read or change it, and those of other users are never looked at.
 *
 * <pre>
 * base                                   mode 700: AKTIS_HOME_DIR, or /tmp/aktis-UID
 *   token                                what every process of the user's clusters has to show
 *   current                              the cluster that was started or joined last
 *   lock                                 held while directories of nodes come and go
 *   sessions/ID/last-number              of a node, so that none is used twice
 *   sessions/ID/control/                 the control store of the head, unless it is elsewhere
 *   sessions/ID/jobs/                    of the head, unless they are with the control store
 *   sessions/ID/nodes/NUMBER/            one node, see {@link NodeDirectory}
 *     node.properties                    what the daemon was told
 *     process                            the number of the daemon and when it was born
 *     ready, failed                      what the daemon tells of its start
 *     daemon.log                         what the daemon prints
 * </pre>
 *
 * <p>A directory is <em>stale</em> when its process is gone: the machine was restarted, or somebody
 * killed the daemon. Such directories count as no cluster, and are deleted by the next start or
 * stop. Until a daemon runs, the process that starts it stands in its place. The control store of a
 * session whose nodes have all died stays, for a head that goes on with it, until somebody stops
 * the session.
 *
 * <p>Immutable and thread-safe; several processes may use it at once.
 */
public final class SessionDirectory {
  static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final int TOKEN_BYTES = 32;
  private static final String CONTROL = "control";
  private static final String JOBS = "jobs";

  /** File locks are held by a JVM as a whole, so its threads need one more. */
  private static final ReentrantLock THREADS = new ReentrantLock();

  private final Path base;

  private SessionDirectory(Path base) {
    this.base = base;
  }

  /**
   * Opens the directory of this user; makes it when it is not there. It is the one that the system
   * property {@code aktis.home.dir} or the variable {@code AKTIS_HOME_DIR} names, else {@code
   * /tmp/aktis-UID}.
   *
   * @throws IllegalStateException when it belongs to somebody else, is open to others, or cannot be
   *     written
   */
  public static SessionDirectory open() {
    try {
      long uid = uid();
      return open(chosen().orElseGet(() -> Path.of("/tmp", "aktis-" + uid)), uid);
    } catch (IOException e) {
      throw new IllegalStateException("cannot tell who runs this process: " + e, e);
    }
  }

  /** Returns the directory that the property or the variable names. */
  static Optional<Path> chosen() {
    String chosen = System.getProperty("aktis.home.dir", System.getenv("AKTIS_HOME_DIR"));
    return chosen == null || chosen.isBlank()
        ? Optional.empty()
        : Optional.of(Path.of(chosen).toAbsolutePath().normalize());
  }

  static SessionDirectory open(Path path, long uid) {
    try {
      Files.createDirectories(path, OWNER_ONLY);
      check(path, uid);
      return new SessionDirectory(path);
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot use the directory "
              + path
              + " for what clusters leave: "
              + reason(e)
              + ". Set AKTIS_HOME_DIR to another one.",
          e);
    }
  }

  /** Says what happened to a file; most messages of the JDK name only the file. */
  static String reason(IOException e) {
    boolean saysWhat =
        e.getClass() == IOException.class
            || (e instanceof FileSystemException file && file.getReason() != null);
    String name = e.getClass().getSimpleName().replace("Exception", "");
    return saysWhat ? String.valueOf(e.getMessage()) : name + ": " + e.getMessage();
  }

  private static void check(Path path, long uid) throws IOException {
    Map<String, Object> found =
        Files.readAttributes(path, "unix:uid,permissions,isDirectory", LinkOption.NOFOLLOW_LINKS);
    if (!Boolean.TRUE.equals(found.get("isDirectory"))) {
      throw new IOException("it is not a directory");
    }
    if (!(found.get("uid") instanceof Integer owner) || owner != uid) {
      throw new IOException("it belongs to user " + found.get("uid") + ", and you are user " + uid);
    }
    Set<PosixFilePermission> permissions =
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
    if (permissions.contains(PosixFilePermission.GROUP_WRITE)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException("others may write to it; 'chmod 700 " + path + "' changes that");
    }
    if (!Files.isWritable(path)) {
      throw new IOException("it cannot be written to");
    }
  }

  /** The number of the user that this process runs as: that of the owner of a file it makes. */
  private static long uid() throws IOException {
    Path self = Path.of("/proc/self");
    if (Files.exists(self)) {
      return ((Integer) Files.getAttribute(self, "unix:uid")).longValue();
    }
    Path probe = Files.createTempFile("aktis", null);
    try {
      return ((Integer) Files.getAttribute(probe, "unix:uid")).longValue();
    } finally {
      Files.delete(probe);
    }
  }

  /** Returns the directory. */
  public Path base() {
    return base;
  }

  /** Returns where the token of this user's clusters is, whether it is there or not. */
  public Path tokenFile() {
    return base.resolve("token");
  }

  /**
   * Returns the token of this user's clusters; the first call on a machine makes it.
   *
   * @throws IllegalStateException when the file cannot be read or is not a token
   */
  public String token() {
    return locked(() -> {
      if (!Files.exists(tokenFile())) {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        PropertiesFile.writeText(tokenFile(), HexFormat.of().formatHex(bytes) + "\n");
      }
      return readToken(tokenFile());
    });
  }

  /**
   * Reads a token from a file.
   *
   * @throws IllegalStateException when the file cannot be read or is not a token
   */
  public static String readToken(Path file) {
    try {
      return checkToken(Files.readString(file), file.toString());
    } catch (NoSuchFileException e) {
      throw new IllegalStateException("there is no token file " + file, e);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the token file " + file + ": " + reason(e), e);
    }
  }

  /**
   * Returns a token without what is around it.
   *
   * @param where what has the token, for the message
   * @throws IllegalStateException when it is not a token; the message does not show it
   */
  static String checkToken(String text, String where) {
    String token = text.strip();
    if (token.length() < 16 || !token.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalStateException(
          "what is in "
              + where
              + " is not a token: that is at least 16 visible ASCII characters in one word");
    }
    return token;
  }

  /** Returns the nodes that run on this machine, in the order of sessions and numbers. */
  public List<NodeDirectory> liveNodes() {
    return nodes().stream().filter(node -> node.process().isPresent()).toList();
  }

  /** Returns the directories of all nodes, stale ones as well. */
  List<NodeDirectory> nodes() {
    List<NodeDirectory> nodes = new ArrayList<>();
    for (Path session : children(base.resolve("sessions"))) {
      children(session.resolve("nodes")).stream()
          .filter(path -> path.getFileName().toString().matches("\\d{1,6}"))
          .map(NodeDirectory::new)
          .sorted(Comparator.comparingInt(NodeDirectory::number))
          .forEach(nodes::add);
    }
    return nodes;
  }

  private static List<Path> children(Path folder) {
    try (Stream<Path> children = Files.list(folder)) {
      return children.sorted().toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder + ": " + reason(e), e);
    }
  }

  /**
   * Makes the directory of a new node; until its daemon runs, this process stands for it. Its
   * number is a new one, so that who is about to end another node never means this one.
   */
  NodeDirectory addNode(String sessionId) {
    return locked(() -> {
      Path session = base.resolve("sessions").resolve(sessionId);
      Path nodes = Files.createDirectories(session.resolve("nodes"), OWNER_ONLY);
      Path counter = session.resolve("last-number");
      int last = Files.exists(counter) ? Integer.parseInt(Files.readString(counter).strip()) : 0;
      for (int number = last + 1; ; number++) {
        Path path = nodes.resolve(Integer.toString(number));
        try {
          NodeDirectory node = new NodeDirectory(Files.createDirectory(path, OWNER_ONLY));
          PropertiesFile.writeText(counter, number + "\n");
          node.writeProcess(ProcessMark.current(), false);
          return node;
        } catch (FileAlreadyExistsException e) {
          // it is that of another node, perhaps a stale one
        }
      }
    });
  }

  /**
   * Deletes the directory of a node, and that of its session when it was the last one.
   *
   * @param forgets whether what a later head of the session would need is deleted with it
   */
  List<Path> removeNode(NodeDirectory node, boolean forgets) {
    return locked(() -> {
      List<Path> deleted = new ArrayList<>(node.delete());
      Path session = node.session();
      boolean isLast = children(session.resolve("nodes")).isEmpty();
      if (isLast && (forgets || !isKept(session))) {
        deleteSession(session);
      }
      return deleted;
    });
  }

  private void deleteSession(Path session) throws IOException {
    NodeDirectory.deleteAll(session);
    String id = session.getFileName().toString();
    if (current().filter(entry -> entry.sessionId().equals(id)).isPresent()) {
      Files.deleteIfExists(base.resolve("current"));
    }
  }

  private static boolean isKept(Path session) {
    return Files.isDirectory(session.resolve(CONTROL)) || Files.isDirectory(session.resolve(JOBS));
  }

  /** Returns where the control store of a session is that has no other place. */
  Path control(String sessionId) {
    return base.resolve("sessions").resolve(sessionId).resolve(CONTROL);
  }

  /**
   * Returns the session that a head which starts again goes on with: one whose control store is
   * here, and whose head is not. Of several, it is the one that was started or joined last.
   */
  Optional<String> resumable() {
    Set<Path> inUse = new HashSet<>();
    for (NodeDirectory node : liveNodes()) {
      boolean isHead = node.settings().map(NodeSettings::head).orElse(true); // it is starting
      if (isHead) {
        inUse.add(node.session());
      }
    }
    List<String> found = new ArrayList<>();
    children(base.resolve("sessions")).stream()
        .filter(session -> Files.isDirectory(session.resolve(CONTROL)) && !inUse.contains(session))
        .sorted(Comparator.comparingLong(session -> -session.toFile().lastModified()))
        .forEach(session -> found.add(session.getFileName().toString()));
    return current()
        .map(Current::sessionId)
        .filter(found::contains)
        .or(() -> found.stream().findFirst());
  }

  /**
   * Deletes what is kept of sessions that have no node here.
   *
   * @param sessionId {@code null} for all of them
   * @return the ids of those that are gone
   */
  public List<String> forget(@Nullable String sessionId) {
    return locked(() -> {
      List<String> gone = new ArrayList<>();
      for (Path session : children(base.resolve("sessions"))) {
        String id = session.getFileName().toString();
        boolean isMeant = sessionId == null || sessionId.equals(id);
        if (isMeant && children(session.resolve("nodes")).isEmpty()) {
          deleteSession(session);
          gone.add(id);
        }
      }
      return gone;
    });
  }

  /**
   * Returns the session of a control store in a directory of its own; one that has none gets a new
   * one.
   */
  String sessionOf(Path control, String newSession) {
    return locked(() -> {
      try {
        return readOrWrite(control, newSession);
      } catch (IOException e) {
        throw new IllegalStateException(
            "cannot use the control store in " + control + ": " + reason(e), e);
      }
    });
  }

  private static String readOrWrite(Path control, String newSession) throws IOException {
    Path file = control.resolve("session");
    if (!Files.exists(file)) {
      Files.createDirectories(control, OWNER_ONLY);
      PropertiesFile.writeText(file, newSession + "\n");
    }
    return Files.readString(file).strip();
  }

  /** Deletes what is left of nodes whose process is gone, and ends what they left running. */
  public List<Path> removeStale() {
    return locked(() -> {
      List<Path> deleted = new ArrayList<>();
      for (NodeDirectory node : nodes()) {
        if (node.process().isEmpty()) {
          NodeProcesses.of(node).kill();
          deleted.addAll(removeNode(node, false));
        }
      }
      return deleted;
    });
  }

  /**
   * The cluster that was started or joined last.
   *
   * @param sessionId its session
   * @param address host and port of the node that serves best as its door
   */
  record Current(String sessionId, String address) {}

  Optional<Current> current() {
    try {
      Map<String, String> entries = PropertiesFile.read(base.resolve("current"));
      return Optional.of(
          new Current(entries.getOrDefault("session", ""), entries.getOrDefault("address", "")));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + base.resolve("current"), e);
    }
  }

  void setCurrent(Current current) {
    locked(() -> {
      PropertiesFile.write(
          base.resolve("current"),
          Map.of("session", current.sessionId(), "address", current.address()));
      return current;
    });
  }

  /** What is done while nobody else adds or removes. */
  private interface Step<T> {
    T run() throws IOException;
  }

  private <T> T locked(Step<T> step) {
    boolean outermost = !THREADS.isHeldByCurrentThread();
    THREADS.lock();
    try {
      if (!outermost) {
        return step.run();
      }
      try (FileChannel channel =
              FileChannel.open(
                  base.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        return step.run();
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot write to " + base + ": " + reason(e), e);
    } finally {
      THREADS.unlock();
    }
  }
}
