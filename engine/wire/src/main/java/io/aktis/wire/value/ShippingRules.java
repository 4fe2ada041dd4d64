package io.aktis.wire.value;

import io.aktis.AktisContext;
import io.aktis.AktisSession;
import io.aktis.ObjectRefStream;
import java.io.FileDescriptor;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.Reader;
import java.io.Serializable;
import java.io.Writer;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.FileSystem;
import java.nio.file.WatchService;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.BaseStream;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Which classes have no meaning outside of their process.
 *
 * <p>The rule: refused are threads and what runs on them, locks and other ways of waiting, open
 * files, sockets and streams, processes, code as an object, native memory that somebody else frees,
 * futures, and the session itself. Refused are classes of the JDK that are not {@link Serializable}
 * and that the codec has no form for, and lambdas that are not {@link Serializable}. Everything
 * else of the user's is shipped field by field, whether it says {@link Serializable} or not; {@code
 * transient} fields stay behind. Records and enums are judged by what they hold, not by what they
 * implement.
 */
final class ShippingRules {
  private static final String MAKE_IT_THERE =
      "make it inside the task, or mark the field transient";
  private static final String OPEN_IT_THERE =
      "open it inside the task, or pass the data instead of the stream";
  private static final String LOCAL_LOCK =
      "a lock has no meaning in a copy: mark the field transient, or keep the state in an actor";
  private static final String COLLECT_FIRST = "collect its elements first";
  private static final String PASS_THE_VALUE = "wait for the value, or pass an ObjectRef";
  private static final String CODE = "look it up inside the task";
  private static final String NATIVE = "pass the data, or mark the field transient";
  private static final String TABLE = "send a vector or a table, without classes of your own";
  private static final String SESSION = "use Aktis inside the task; it knows its session";

  private static final Map<Class<?>, String> REFUSED = new LinkedHashMap<>();

  static {
    refuse(MAKE_IT_THERE, Thread.class, ThreadGroup.class, ThreadLocal.class, ScopedValue.class);
    refuse(MAKE_IT_THERE, Executor.class, Timer.class, TimerTask.class);
    refuse(MAKE_IT_THERE, Process.class, ProcessHandle.class, ProcessBuilder.class, Runtime.class);
    refuse(LOCAL_LOCK, Lock.class, ReadWriteLock.class, StampedLock.class, Condition.class);
    refuse(LOCAL_LOCK, AbstractOwnableSynchronizer.class, Semaphore.class, CountDownLatch.class);
    refuse(LOCAL_LOCK, CyclicBarrier.class, Phaser.class, Exchanger.class);
    refuse(OPEN_IT_THERE, InputStream.class, OutputStream.class, Reader.class, Writer.class);
    refuse(OPEN_IT_THERE, Channel.class, Selector.class, SelectionKey.class);
    refuse(OPEN_IT_THERE, Socket.class, ServerSocket.class, DatagramSocket.class);
    refuse(OPEN_IT_THERE, FileDescriptor.class, RandomAccessFile.class, ZipFile.class);
    refuse(OPEN_IT_THERE, FileSystem.class, WatchService.class);
    refuse(COLLECT_FIRST, BaseStream.class);
    refuse(PASS_THE_VALUE, Future.class, CompletionStage.class);
    refuse(CODE, ClassLoader.class, Module.class, MethodHandle.class, VarHandle.class);
    refuse(CODE, MethodHandles.Lookup.class, java.lang.reflect.Method.class);
    refuse(CODE, java.lang.reflect.Field.class, java.lang.reflect.Constructor.class);
    refuse(NATIVE, Arena.class, Cleaner.class, Cleaner.Cleanable.class, Reference.class);
    refuse(SESSION, AktisSession.class, AktisContext.class);
    refuse(COLLECT_FIRST, ObjectRefStream.class);
  }

  /** Types of modules and libraries that need not be there. */
  private static final Map<String, String> REFUSED_BY_NAME =
      Map.of(
          "java.sql.Connection", OPEN_IT_THERE,
          "java.sql.Statement", OPEN_IT_THERE,
          "java.sql.ResultSet", COLLECT_FIRST,
          "java.net.http.HttpClient", MAKE_IT_THERE,
          "org.apache.arrow.memory.ArrowBuf", TABLE,
          "org.apache.arrow.memory.BufferAllocator", MAKE_IT_THERE,
          "org.apache.arrow.memory.ReferenceManager", TABLE,
          "org.apache.arrow.vector.ValueVector", TABLE,
          "org.apache.arrow.vector.VectorSchemaRoot", TABLE);

  private ShippingRules() {}

  private static void refuse(String advice, Class<?>... types) {
    for (Class<?> type : types) {
      REFUSED.put(type, advice);
    }
  }

  /** Returns the classes that are refused by name or by what they extend. */
  static Iterable<Class<?>> refusedTypes() {
    return REFUSED.keySet();
  }

  /**
   * Returns what a user can do instead of shipping instances of that class, null if they may be
   * shipped as far as the class tells.
   */
  static @Nullable String advice(Class<?> type) {
    if (type.isRecord() || Jdk.isEnum(type)) {
      return null;
    }
    for (Map.Entry<Class<?>, String> refused : REFUSED.entrySet()) {
      if (refused.getKey().isAssignableFrom(type)) {
        return refused.getValue();
      }
    }
    return adviceByName(type);
  }

  private static @Nullable String adviceByName(Class<?> type) {
    for (Class<?> above = type; above != null; above = above.getSuperclass()) {
      String advice = REFUSED_BY_NAME.get(above.getName());
      for (Class<?> face : above.getInterfaces()) {
        advice = advice == null ? adviceByName(face) : advice;
      }
      if (advice != null) {
        return advice;
      }
    }
    return null;
  }

  /** Makes the refusal of one value whose class is refused. */
  static Refusal refuse(Object value, String advice) {
    Class<?> type = value.getClass();
    String reason =
        Jdk.isLambda(type)
            ? "a lambda that is not Serializable cannot be sent"
            : "a " + type.getName() + " belongs to the process it was made in";
    return new Refusal(value, reason, advice);
  }

  /** Makes the refusal of one value of a JDK class that no form is known for. */
  static Refusal refuseUnknown(Object value) {
    return new Refusal(
        value,
        "a " + value.getClass().getName() + " cannot be sent, the JDK does not serialize it",
        MAKE_IT_THERE);
  }
}
