package io.aktis.cluster.driver;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.RuntimeEnv;
import io.aktis.cluster.code.CodeUnitScan;
import io.aktis.cluster.session.ClusterAccess;
import io.aktis.cluster.session.JobClient;
import io.aktis.runtime.port.KeeperProcess;
import io.aktis.runtime.session.ClusterSession;
import io.aktis.wire.message.JobEntry;
import io.aktis.wire.message.SubmitJob;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Owns the detached actors and placement groups of another job: a program like any other, which is
 * submitted to the head with the code of that job, makes them when it is asked to, and ends when it
 * has none.
 */
public final class Keeper {
  private static final String MAIN_CLASS = "io.aktis.cluster.KeeperMain";

  /** The arguments of the first actor may have to be awaited, or sent. */
  private static final long FIRST_ACTOR_MS = 60_000;

  /** So long the last answers of actors that have ended may be on their way. */
  private static final long LINGER_MS = 2_000;

  private static final long LOOK_MS = 500;

  private Keeper() {}

  // ---- the job that needs one -----------------------------------------------------------------

  /**
   * Submits one.
   *
   * @param files what the job that needs it has sent to nodes
   * @param environment of the session of that job
   * @param owner its number
   * @param namespace of its session
   * @throws IllegalStateException when the head does not take it
   */
  static KeeperProcess start(
      ClusterAccess access, JobFiles files, RuntimeEnv environment, long owner, String namespace)
      throws InterruptedException {
    SubmitJob job =
        SubmitJob.newBuilder()
            .setProgram("what is detached of " + HexFormat.of().toHexDigits((int) owner))
            .setMainClass(MAIN_CLASS)
            .addArguments(HexFormat.of().toHexDigits(owner))
            .addArguments(namespace)
            .putAllEnv(environment.variables())
            .addAllJvmOptions(environment.jvmOptions())
            .build();
    Environments.Found found = files.environments().find(environment);
    List<CodeUnitScan> code = new ArrayList<>(found.jars());
    code.add(files.code());
    try (JobClient head = JobClient.open(access)) {
      String id = head.submit(job, code, found.workingDirectory()).getJob();
      return () -> end(access, id);
    }
  }

  private static String end(ClusterAccess access, String id) throws InterruptedException {
    try (JobClient head = JobClient.open(access)) {
      JobEntry entry = head.get(id);
      if (entry.getEndedAtMs() == 0) {
        return "";
      }
      return entry.getReason().isEmpty()
          ? id + " has ended with exit code " + entry.getExitCode() + "; see its log"
          : entry.getReason();
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }

  // ---- the program ----------------------------------------------------------------------------

  /**
   * Makes and owns what of another job is detached; returns when there are none for a while.
   *
   * @param arguments those that {@link #start} has given
   */
  public static void run(List<String> arguments) throws InterruptedException {
    long creator = HexFormat.fromHexDigitsToLong(arguments.get(0));
    try (AktisSession session = // its address and environment are those of the process
        Aktis.open(options -> options.namespace(arguments.get(1)))) {
      ClusterSession.keepActorsOf(session, creator);
      awaitEnd(session);
    }
  }

  /** Ends soon after the last of them: who wants to make one then starts another such program. */
  private static void awaitEnd(AktisSession session) throws InterruptedException {
    long deadline = after(FIRST_ACTOR_MS);
    boolean begun = false;
    while (System.nanoTime() - deadline < 0) {
      Thread.sleep(LOOK_MS);
      boolean begins = !begun && ClusterSession.wasAsked(session);
      if (begins || ClusterSession.keepsAnything(session)) {
        begun = true;
        deadline = after(LINGER_MS);
      }
    }
  }

  private static long after(long delayMs) {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMs);
  }
}
