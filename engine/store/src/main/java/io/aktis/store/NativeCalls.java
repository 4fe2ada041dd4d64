package io.aktis.store;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/**
 * The functions of the C library that the store needs: the JDK's own ways to off-heap memory fill
 * it with zeros first, which takes as long as writing the value. Addresses are passed as numbers.
 * Binding the first function costs some tens of milliseconds, once in a JVM, so each kind of memory
 * binds only what it calls. Thread-safe.
 */
final class NativeCalls {
  private NativeCalls() {}

  static boolean isLinux() {
    return System.getProperty("os.name", "").equals("Linux");
  }

  /**
   * {@code mmap} of private memory without a file, and what goes with it; the numbers are Linux's.
   */
  static final class Mapping {
    private static final int PROT_READ_WRITE = 0x3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x2 | 0x20 | 0x4000;
    private static final int MADV_DONTNEED = 4;
    private static final int MADV_HUGEPAGE = 14;
    private static final long MAP_FAILED = -1;

    private static final MethodHandle MMAP =
        bind(
            "mmap",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP =
        bind("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MADVISE =
        bind("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    private Mapping() {}

    /** Returns the address of fresh memory, or 0 when the system refuses. */
    static long map(long bytes) {
      try {
        long address =
            (long)
                MMAP.invokeExact(
                    0L, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
        return address == MAP_FAILED ? 0 : address;
      } catch (Throwable t) {
        throw unexpected(t);
      }
    }

    static boolean unmap(long address, long bytes) {
      try {
        return (int) MUNMAP.invokeExact(address, bytes) == 0;
      } catch (Throwable t) {
        throw unexpected(t);
      }
    }

    /** Asks for huge pages: the first write to memory is then about five times as fast. */
    static boolean preferHugePages(long address, long bytes) {
      return advise(address, bytes, MADV_HUGEPAGE);
    }

    /** Drops the pages; the next access finds zeros. */
    static boolean drop(long address, long bytes) {
      return advise(address, bytes, MADV_DONTNEED);
    }

    private static boolean advise(long address, long bytes, int advice) {
      try {
        return (int) MADVISE.invokeExact(address, bytes, advice) == 0;
      } catch (Throwable t) {
        throw unexpected(t);
      }
    }
  }

  /** {@code malloc} and {@code free}. */
  static final class Heap {
    private static final MethodHandle MALLOC =
        bind("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FREE = bind("free", FunctionDescriptor.ofVoid(JAVA_LONG));

    private Heap() {}

    /** Returns the address of fresh memory, or 0 when the system refuses. */
    static long malloc(long bytes) {
      try {
        return (long) MALLOC.invokeExact(bytes);
      } catch (Throwable t) {
        throw unexpected(t);
      }
    }

    static void free(long address) {
      try {
        FREE.invokeExact(address);
      } catch (Throwable t) {
        throw unexpected(t);
      }
    }
  }

  /** The blocks behind a file; the numbers are Linux's. */
  static final class FileSpace {
    static final int NOT_SUPPORTED = 95; // EOPNOTSUPP
    private static final int INTERRUPTED = 4; // EINTR
    private static final int READ_WRITE_CLOSE_ON_EXEC = 0x2 | 0x80000;
    private static final int PUNCH_HOLE_KEEP_SIZE = 0x2 | 0x1;

    private static final Linker.Option KEEP_ERRNO = Linker.Option.captureCallState("errno");
    private static final VarHandle ERRNO =
        Linker.Option.captureStateLayout()
            .varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final MethodHandle OPEN =
        bind(
            "open",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE =
        bind("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FALLOCATE =
        bind(
            "fallocate",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
            KEEP_ERRNO);

    private FileSpace() {}

    /** Opens a file to read and write; returns its descriptor, negative when that fails. */
    static int open(Path file) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment name = arena.allocateFrom(file.toAbsolutePath().toString());
        return (int) OPEN.invokeExact(name, READ_WRITE_CLOSE_ON_EXEC);
      } catch (Throwable t) {
        throw unexpected(t);
      }
    }

    static void close(int descriptor) {
      try {
        int _ = (int) CLOSE.invokeExact(descriptor); // nothing is buffered that could be lost
      } catch (Throwable t) {
        throw unexpected(t);
      }
    }

    /** Takes blocks for a part of a file; returns 0, or the number of the error. */
    static int reserve(int descriptor, long offset, long bytes) {
      return allocate(descriptor, 0, offset, bytes);
    }

    /** Gives the blocks of a part of a file back; returns 0, or the number of the error. */
    static int punchHole(int descriptor, long offset, long bytes) {
      return allocate(descriptor, PUNCH_HOLE_KEEP_SIZE, offset, bytes);
    }

    private static int allocate(int descriptor, int mode, long offset, long bytes) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
        while (true) {
          if ((int) FALLOCATE.invokeExact(state, descriptor, mode, offset, bytes) == 0) {
            return 0;
          }
          int error = (int) ERRNO.get(state, 0L);
          if (error != INTERRUPTED) {
            return error;
          }
        }
      } catch (Throwable t) {
        throw unexpected(t);
      }
    }
  }

  @SuppressWarnings("restricted") // The launcher and the manifest enable native access.
  private static MethodHandle bind(
      String function, FunctionDescriptor type, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(function), type, options);
  }

  private static AssertionError unexpected(Throwable t) {
    if (t instanceof Error error) {
      throw error;
    }
    return new AssertionError("a call of the C library threw", t);
  }
}
