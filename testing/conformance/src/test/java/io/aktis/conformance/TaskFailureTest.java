package io.aktis.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.aktis.Aktis;
import io.aktis.ObjectRef;
import io.aktis.OutOfMemoryException;
import io.aktis.TaskFailedException;
import io.aktis.TimeoutException;
import io.aktis.testkit.EngineTest;
import io.aktis.testkit.Gate;
import io.aktis.testkit.Notes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a task whose code throws. */
@EngineTest(cpus = 2)
class TaskFailureTest {
  /** Throwables of every kind. */
  enum Thrown {
    CHECKED {
      @Override
      Throwable make() {
        return new Exception("checked");
      }
    },
    UNCHECKED {
      @Override
      Throwable make() {
        return new IllegalArgumentException("unchecked");
      }
    },
    ERROR {
      @Override
      Throwable make() {
        return new AssertionError("error");
      }
    },
    OUT_OF_MEMORY {
      @Override
      Throwable make() {
        return new OutOfMemoryError("thrown by hand");
      }
    },
    LINKAGE {
      @Override
      Throwable make() {
        return new NoClassDefFoundError("some/Missing");
      }
    },
    BARE {
      @Override
      Throwable make() {
        return new Throwable("bare");
      }
    },
    INTERRUPTED {
      @Override
      Throwable make() {
        return new InterruptedException("not by the engine");
      }
    },
    WITHOUT_MESSAGE {
      @Override
      Throwable make() {
        return new RuntimeException();
      }
    },
    OF_THE_ENGINE {
      @Override
      Throwable make() {
        return new TimeoutException("thrown by the code");
      }
    };

    abstract Throwable make();
  }

  /** An exception with a part that cannot be sent. */
  static final class Unsendable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("unused") // only there to be in the way
    private final transient Thread thread = Thread.currentThread();

    final Object lock = new Thread(() -> {}, "a part");

    Unsendable(String message) {
      super(message);
    }
  }

  @Test
  @Semantics("2.failure.original")
  void get_codeThatThrew_bringsTheOriginalAsItsCause() {
    ObjectRef<Void> ref = Aktis.run(TaskFailureTest::failWithCauses).remote();

    TaskFailedException failure = catchThrowableOfType(TaskFailedException.class, ref::get);

    assertThat(failure.getCause())
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("outer")
        .hasRootCauseExactlyInstanceOf(IOException.class)
        .hasRootCauseMessage("inner");
    assertThat(failure.getCause().getStackTrace()[0].getMethodName()).isEqualTo("failWithCauses");
    assertThat(failure.getCause().getSuppressed()[0]).hasMessage("aside");
    assertThat(failure.attempts()).isEqualTo(1);
    assertThat(failure.story()).isNotEmpty();
  }

  @Test
  @Semantics("2.failure.original")
  void get_codeThatThrew_showsTheCallersStackToo() {
    ObjectRef<Void> ref = Aktis.run(TaskFailureTest::failWithCauses).remote();

    TaskFailedException failure = catchThrowableOfType(TaskFailedException.class, ref::get);

    assertThat(failure.getStackTrace())
        .anyMatch(
            frame -> frame.getMethodName().equals("get_codeThatThrew_showsTheCallersStackToo"));
  }

  @Test
  @Semantics("2.failure.everyref")
  void get_twice_throwsTwoExceptions() {
    ObjectRef<Void> ref = Aktis.run(TaskFailureTest::failWithCauses).remote();

    TaskFailedException one = catchThrowableOfType(TaskFailedException.class, ref::get);
    TaskFailedException two = catchThrowableOfType(TaskFailedException.class, ref::get);

    assertThat(one).isNotSameAs(two).hasMessage(two.getMessage());
  }

  @Test
  @Semantics("2.failure.everyref")
  void get_ofSeveralResults_failsOnEach() {
    List<ObjectRef<Integer>> refs =
        Aktis.task(TaskFailureTest::failInsteadOfList).returns(3, Integer.class).remote();

    assertThat(refs).hasSize(3);
    assertThat(refs).allSatisfy(ref -> assertThatThrownBy(ref::get).hasRootCauseMessage("no list"));
  }

  @Test
  @Semantics("2.failure.undecodable")
  void get_exceptionThatCannotBeSent_describesIt() {
    ObjectRef<Void> ref = Aktis.run(TaskFailureTest::failUnsendably).remote();

    TaskFailedException failure = catchThrowableOfType(TaskFailedException.class, ref::get);

    StringWriter printed = new StringWriter();
    failure.printStackTrace(new PrintWriter(printed));
    assertThat(failure.getCause()).isNotNull();
    assertThat(printed.toString())
        .contains("Unsendable", "cannot travel", "failUnsendably")
        .contains("its cause");
  }

  @ParameterizedTest
  @EnumSource
  @Semantics("2.failure.throwable")
  void task_anyThrowable_endsOnceAndTheEngineGoesOn(Thrown thrown) {
    Notes runs = Notes.empty();
    ObjectRef<Void> ref = Aktis.run(TaskFailureTest::raise, thrown, runs).remote();

    assertThatThrownBy(ref::get)
        .isInstanceOf(TaskFailedException.class)
        .cause()
        .isExactlyInstanceOf(thrown.make().getClass())
        .hasMessage(thrown.make().getMessage());
    assertThat(runs.count()).isEqualTo(1);
    assertThat(Aktis.task(() -> 42).remote().get()).isEqualTo(42);
  }

  @Test
  @Semantics("2.failure.throwable")
  void task_stackOverflow_failsAndTheEngineGoesOn() {
    ObjectRef<Integer> ref = Aktis.task(TaskFailureTest::recurseForEver, 0).remote();

    assertThatThrownBy(ref::get)
        .isInstanceOf(TaskFailedException.class)
        .hasCauseInstanceOf(StackOverflowError.class);
    assertThat(Aktis.task(() -> 42).remote().get()).isEqualTo(42);
  }

  @Test
  @OneProcess("a worker whose heap is full ends, for others cannot go on there either")
  @Semantics("2.failure.throwable")
  void task_heapExhausted_failsAndTheEngineGoesOn() {
    ObjectRef<Integer> ref = Aktis.task(TaskFailureTest::allocateTooMuch).remote();

    assertThatThrownBy(ref::get).hasCauseInstanceOf(OutOfMemoryError.class);
    assertThat(Aktis.task(() -> 42).remote().get()).isEqualTo(42);
  }

  @Test
  @SeveralProcesses("the heap is that of the program")
  @Semantics({"2.failure.throwable", "2.failure.exit"})
  void task_heapOfItsProcessExhausted_failsAndOthersAreRunAgain() {
    Gate gate = Gate.closed();
    ObjectRef<Integer> bystander = Aktis.task(TaskTest::afterGate, gate, 42).cpus(0).remote();
    gate.awaitArrivals(1);

    ObjectRef<Integer> ref = Aktis.task(TaskFailureTest::allocateTooMuch).maxRetries(0).remote();

    assertThatThrownBy(ref::get)
        .isInstanceOf(OutOfMemoryException.class)
        .hasMessageContaining("java.lang.OutOfMemoryError");
    gate.awaitArrivals(2);
    gate.open();
    assertThat(bystander.get()).isEqualTo(42);
  }

  @Test
  @Semantics("2.failure.throwable")
  void tasks_manyFailures_leaveTheEngineUsable() {
    List<ObjectRef<Void>> refs =
        IntStream.range(0, 1_000)
            .mapToObj(_ -> Aktis.run(TaskFailureTest::failWithCauses).remote())
            .toList();

    assertThat(refs)
        .allSatisfy(ref -> assertThatThrownBy(ref::get).isInstanceOf(TaskFailedException.class));
    assertThat(Aktis.task(() -> 42).remote().get()).isEqualTo(42);
  }

  @Test
  @Semantics("2.failure.throwable")
  void task_threadLeftInterrupted_doesNotDisturbTheNext() {
    Aktis.run(() -> Thread.currentThread().interrupt()).remote().get();

    for (int i = 0; i < 10; i++) {
      assertThat(Aktis.task(Thread::interrupted).remote().get()).isFalse();
    }
  }

  static void failWithCauses() {
    IllegalStateException outer =
        new IllegalStateException("outer", new RuntimeException(new IOException("inner")));
    outer.addSuppressed(new IllegalArgumentException("aside"));
    throw outer;
  }

  static List<Integer> failInsteadOfList() {
    throw new IllegalStateException("no list");
  }

  static void failUnsendably() {
    Unsendable failure = new Unsendable("cannot travel");
    failure.initCause(new IOException("its cause"));
    throw failure;
  }

  static void raise(Thrown thrown, Notes runs) {
    runs.add("ran");
    sneak(thrown.make());
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @SuppressWarnings("InfiniteRecursion")
  static int recurseForEver(int depth) {
    return recurseForEver(depth + 1) + 1;
  }

  static int allocateTooMuch() {
    return new long[Integer.MAX_VALUE - 8].length + new long[Integer.MAX_VALUE - 8].length;
  }
}
