package io.aktis.acceptance;

import io.aktis.Aktis;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What tasks of the tests do. They and their test tell each other things through files. */
final class Work {
  private Work() {}

  /** Ways in which a process ends that is not asked. */
  enum Death {
    EXIT {
      @Override
      void die() {
        System.exit(7);
      }
    },
    HALT {
      @Override
      void die() {
        Runtime.getRuntime().halt(8);
      }
    },
    NATIVE_CRASH {
      @Override
      void die() throws ReflectiveOperationException {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field field = unsafe.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        unsafe.getMethod("putAddress", long.class, long.class).invoke(field.get(null), 0L, 0L);
      }
    },
    FULL_HEAP {
      @Override
      void die() {
        List<byte[]> all = new ArrayList<>();
        while (!all.contains(null)) {
          all.add(new byte[1 << 20]);
        }
      }
    };

    abstract void die() throws ReflectiveOperationException;
  }

  /** Takes note that it runs, and ends its process. */
  static int die(Death death, String notes) throws Exception {
    note(notes);
    death.die();
    return 0;
  }

  static void note(String notes) throws IOException {
    Files.writeString(
        Path.of(notes),
        ProcessHandle.current().pid() + " " + Aktis.context().nodeId() + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** Takes note that it runs, waits for a file, and returns the number of its process. */
  static long waitFor(String notes, String file) throws IOException {
    note(notes);
    while (!Files.exists(Path.of(file))) {
      LockSupport.parkNanos(5_000_000);
    }
    return ProcessHandle.current().pid();
  }

  /** Starts a process that outlives the task; returns both of them. */
  static long[] child() throws IOException {
    return new long[] {
      ProcessHandle.current().pid(), new ProcessBuilder("sleep", "1000").start().pid()
    };
  }

  /** Returns a number after so many milliseconds. */
  static int slowly(int number, int ms) {
    long endNs = System.nanoTime() + ms * 1_000_000L;
    while (System.nanoTime() - endNs < 0) {
      LockSupport.parkNanos(5_000_000);
    }
    return number;
  }

  static String node() {
    return Aktis.context().nodeId();
  }

  /** Makes a large value. */
  static byte[] bytes(int count, String notes) throws IOException {
    note(notes);
    byte[] bytes = new byte[count];
    bytes[count - 1] = 42;
    return bytes;
  }

  static int last(byte[] bytes) {
    return bytes[bytes.length - 1];
  }

  /** An actor that counts. */
  static final class Counter {
    private int count;

    int add(int more) {
      count += more;
      return count;
    }

    long pid() {
      return ProcessHandle.current().pid();
    }
  }
}
