package io.aktis.cli;

import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.ObjectRef;
import io.aktis.WorkerDiedException;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that does what programs do first on a cluster: tasks, objects, an actor. At last it
 * lets its worker end by itself, which writes the cache that it has taken notes for.
 */
final class TrainingProgram {
  private static final int TASKS = 20;
  private static final int LARGE_BYTES = 1 << 20;

  private TrainingProgram() {}

  /**
   * Runs it.
   *
   * @param args host and port of the cluster
   */
  public static void main(String[] args) {
    try (AktisSession session = Aktis.open(options -> options.address("aktis://" + args[0]))) {
      List<ObjectRef<String>> texts = new ArrayList<>();
      for (int i = 0; i < TASKS; i++) {
        texts.add(session.task(TrainingProgram::text, i).remote());
      }
      session.get(texts);
      session.task(TrainingProgram::nested, 1).remote().get();
      try (ObjectRef<byte[]> large = session.put(new byte[LARGE_BYTES])) {
        session.task(TrainingProgram::same, large).remote().get();
      }
      ActorHandle<Tally> tally = session.actor(Tally::new).remote();
      tally.call(Tally::add, 1).get();
      end(session);
    }
    System.exit(ExitCode.OK);
  }

  /** The result comes when the process has ended, so the cache is there then. */
  private static void end(AktisSession session) {
    try {
      session.task(TrainingProgram::exit).maxRetries(0).remote().get();
      throw new IllegalStateException("the worker has not ended");
    } catch (WorkerDiedException asExpected) {
      // its cache is written
    }
  }

  private static String text(int number) {
    return "text " + number;
  }

  private static int nested(int number) {
    return Aktis.task(TrainingProgram::text, number).remote().get().length();
  }

  private static byte[] same(byte[] value) {
    return value;
  }

  private static int exit() {
    System.exit(ExitCode.OK);
    return 0;
  }

  /** An actor. */
  static final class Tally {
    private int sum;

    int add(int number) {
      sum += number;
      return sum;
    }
  }
}
