package io.aktis.cli;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Ends this process at once, with {@code _exit} of the C library. A JVM that has started a process
 * which still runs waits 300 ms for the thread that waits for that process before it ends, and who
 * has typed {@code aktis start} waits with it.
 */
final class QuickEnd {
  private QuickEnd() {}

  /** Finds the function; nothing where there is none. */
  @SuppressWarnings("restricted") // the launcher allows native access
  static Optional<MethodHandle> function() {
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> address = linker.defaultLookup().find("_exit");
    return address.map(at -> linker.downcallHandle(at, FunctionDescriptor.ofVoid(JAVA_INT)));
  }

  /**
   * Ends this process, with exit code 0. No shutdown hooks are run, and nothing is flushed but
   * standard output and standard error. Returns where there is no such function.
   */
  static void now() {
    System.out.flush();
    System.err.flush();
    Optional<MethodHandle> function = function();
    if (function.isPresent()) {
      try {
        function.get().invokeExact(ExitCode.OK);
      } catch (Throwable t) {
        throw new IllegalStateException("_exit has failed", t);
      }
    }
  }
}
