package io.aktis.wire.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A failure always arrives: as itself, or as a description that prints the same. */
@SuppressWarnings("UnusedVariable") // fields that cannot be sent
class FailureTest {
  private final ValueCodec codec = ValueCodec.of(FailureTest.class.getClassLoader());

  private Throwable trip(Throwable failure) {
    return codec.decodeThrowable(Encoded.open(codec.encodeThrowable(failure).toBytes()));
  }

  private static String printed(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  static List<Throwable> ordinary() throws Exception {
    List<Throwable> failures = new ArrayList<>();
    failures.add(new RuntimeException());
    failures.add(new IllegalStateException("text"));
    failures.add(new IOException("outer", new FileNotFoundException("inner")));
    failures.add(new UncheckedIOException(new IOException("x")));
    failures.add(new ExecutionException("x", new Error("e")));
    failures.add(new InvocationTargetException(new RuntimeException("target"), "message"));
    failures.add(new DateTimeParseException("bad", "text", 3));
    failures.add(new SQLException("reason", "state", 4));
    failures.add(new AssertionError("expected", new OutOfMemoryError("heap")));
    failures.add(new OnlyMessage("needs a message"));
    failures.add(new NoMessage(7, null));
    failures.add(new ComputedMessage(404));
    failures.add(new InterruptedException("stopped"));
    Exception suppressing = new Exception("main");
    suppressing.addSuppressed(new IOException("close failed"));
    suppressing.addSuppressed(new NoMessage(1, new Error("why")));
    failures.add(suppressing);
    failures.add(new Silent());
    try {
      Objects.requireNonNull(null, "thing");
    } catch (NullPointerException e) {
      failures.add(e);
    }
    try {
      Object[] array = new Integer[1];
      array[0] = "x";
    } catch (ArrayStoreException e) {
      failures.add(e);
    }
    return failures;
  }

  static final class OnlyMessage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OnlyMessage(String message) {
      super(Objects.requireNonNull(message));
    }
  }

  static final class NoMessage extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final int code;
    final transient Object scratch = new Semaphore(1);

    NoMessage(int code, Throwable cause) {
      super(cause);
      this.code = code;
    }
  }

  static final class ComputedMessage extends Exception {
    private static final long serialVersionUID = 1L;
    final int status;

    ComputedMessage(int status) {
      super("status");
      this.status = status;
    }

    @Override
    public String getMessage() {
      return super.getMessage() + " " + status;
    }
  }

  static final class Silent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Silent() {
      super("silent", null, false, false);
    }
  }

  @ParameterizedTest
  @MethodSource("ordinary")
  void failure_byMessage_isItself(Throwable failure) {
    Throwable back = trip(failure);
    assertThat(back.getClass()).isEqualTo(failure.getClass());
    assertThat(back.getMessage()).isEqualTo(failure.getMessage());
    assertThat(back.getStackTrace()).isEqualTo(failure.getStackTrace());
    assertThat(printed(back)).isEqualTo(printed(failure));
  }

  @ParameterizedTest
  @MethodSource("ordinary")
  void failure_asAValue_isItself(Throwable failure) {
    for (Throwable back : List.of(Trips.byMessage(codec, failure), codec.copy(failure))) {
      assertThat(back.getClass()).isEqualTo(failure.getClass());
      assertThat(printed(back)).isEqualTo(printed(failure));
    }
  }

  @Test
  void fields_ofUsersExceptions_areKept() {
    assertThat(((NoMessage) trip(new NoMessage(9, null))).code).isEqualTo(9);
    SQLException back = (SQLException) trip(new SQLException("r", "state", 4));
    assertThat(back.getSQLState()).isEqualTo("state");
    assertThat(back.getErrorCode()).isEqualTo(4);
  }

  @Test
  void decodedFailure_afterwards_canBeExtended() {
    Throwable back = trip(new IllegalStateException("x"));
    back.initCause(new IOException("later"));
    back.addSuppressed(new IOException("too"));
    assertThat(back.getCause()).hasMessage("later");
    assertThat(back.getSuppressed()).hasSize(1);
  }

  @Test
  void causes_inACycle_areKept() {
    Exception first = new Exception("first");
    Exception second = new RuntimeException("second", first);
    first.initCause(second);
    Throwable back = trip(first);
    assertThat(back.getCause().getCause()).isSameAs(back);
    assertThat(printed(back)).isEqualTo(printed(first));
  }

  static final class Unsendable extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Object lock = new Semaphore(1);

    Unsendable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  @Test
  void failure_thatCannotBeSent_isDescribed() {
    Unsendable failure = new Unsendable("bad", new IOException("cause"));
    failure.addSuppressed(new Error("suppressed"));
    Throwable back = trip(failure);
    assertThat(back).isInstanceOf(RemoteThrowable.class);
    assertThat(((RemoteThrowable) back).originalClassName())
        .isEqualTo("io.aktis.wire.value.FailureTest$Unsendable");
    assertThat(back.getMessage()).isEqualTo("bad");
    assertThat(printed(back)).isEqualTo(printed(failure));
    assertThat(printed(trip(back))).isEqualTo(printed(failure));
  }

  @Test
  void cause_thatCannotBeSent_leavesTheRestItself() {
    IOException failure =
        new IOException("top", new Unsendable("middle", new FileNotFoundException("bottom")));
    failure.addSuppressed(new NoMessage(3, null));
    Throwable back = trip(failure);
    assertThat(back).isInstanceOf(IOException.class);
    assertThat(back.getCause()).isInstanceOf(RemoteThrowable.class);
    assertThat(back.getSuppressed()[0]).isInstanceOf(NoMessage.class);
    assertThat(printed(back)).isEqualTo(printed(failure));
  }

  @Test
  void unsendableCauses_inACycle_areDescribed() {
    Exception top = new Exception("top");
    Unsendable bad = new Unsendable("bad", top);
    top.initCause(bad);
    Throwable back = trip(top);
    assertThat(back).isExactlyInstanceOf(Exception.class);
    assertThat(back.getCause()).isInstanceOf(RemoteThrowable.class);
    Throwable described = trip(bad);
    assertThat(described).isInstanceOf(RemoteThrowable.class);
    assertThat(described.getCause().getCause()).isSameAs(described);
  }

  static final class Hostile extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Object lock = new Semaphore(1);

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }

    @Override
    public String toString() {
      throw new StackOverflowError();
    }

    @Override
    public synchronized Throwable getCause() {
      throw new UnsupportedOperationException();
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      return null;
    }
  }

  @Test
  void failure_whoseMethodsThrow_isStillDescribed() {
    Throwable back = trip(new Hostile());
    assertThat(back).isInstanceOf(RemoteThrowable.class);
    assertThat(back.toString()).isEqualTo("io.aktis.wire.value.FailureTest$Hostile");
  }

  @Test
  void deepRecursion_byMessage_isItself() {
    Throwable failure = overflow();
    Throwable back = trip(failure);
    assertThat(back).isInstanceOf(StackOverflowError.class);
    assertThat(back.getStackTrace()).hasSize(failure.getStackTrace().length);
    assertThat(codec.encodeThrowable(failure).sizeBytes()).isLessThan(40_000);
  }

  private static Throwable overflow() {
    try {
      return new Error("never " + recurse(0));
    } catch (StackOverflowError e) {
      return e;
    }
  }

  private static int recurse(int depth) {
    return depth < 0 ? 0 : recurse(depth + 1) + 1;
  }

  @Test
  void longCauseChain_byMessage_isDescribedAtLeast() {
    Throwable failure = new Exception("0");
    for (int i = 1; i < 2000; i++) {
      failure = new Exception("" + i, failure);
    }
    Throwable back = trip(failure);
    assertThat(back.getMessage()).isEqualTo("1999");
    assertThat(back.getCause().getMessage()).isEqualTo("1998");
  }

  @Test
  void failure_ofAMissingClass_isDescribed() {
    Encoded encoded = codec.encodeThrowable(new NoMessage(1, new IOException("why")));
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try (ValueCodec elsewhere = ValueCodec.of(ClassLoader.getPlatformClassLoader())) {
      Throwable back = elsewhere.decodeThrowable(Encoded.open(encoded.toBytes()));
      assertThat(back).isInstanceOf(RemoteThrowable.class);
      assertThat(back.getCause()).isInstanceOf(RemoteThrowable.class).hasMessage("why");
      assertThat(back.toString()).contains("FailureTest$NoMessage");
    } finally {
      Thread.currentThread().setContextClassLoader(context);
    }
  }

  @Test
  void failure_heldInAValue_isItself() {
    record Outcome(Throwable failure, LocalDate when) {}
    Outcome back = Trips.byMessage(codec, new Outcome(new NoMessage(2, null), LocalDate.EPOCH));
    assertThat(back.failure()).isInstanceOf(NoMessage.class);
  }
}
