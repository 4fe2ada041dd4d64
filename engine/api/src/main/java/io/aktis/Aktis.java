package io.aktis;

import io.aktis.function.TaskAction0;
import io.aktis.function.TaskAction1;
import io.aktis.function.TaskAction2;
import io.aktis.function.TaskAction3;
import io.aktis.function.TaskAction4;
import io.aktis.function.TaskAction5;
import io.aktis.function.TaskAction6;
import io.aktis.function.TaskFunction0;
import io.aktis.function.TaskFunction1;
import io.aktis.function.TaskFunction2;
import io.aktis.function.TaskFunction3;
import io.aktis.function.TaskFunction4;
import io.aktis.function.TaskFunction5;
import io.aktis.function.TaskFunction6;
import io.aktis.spi.EngineProvider;
import io.aktis.spi.Work;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The front door: start a session, submit work, wait for results.
 *
 * <pre>{@code
 * try (var session = Aktis.init()) {
 *   ObjectRef<Long> count = Aktis.task(Primes::count, 0, 1_000_000).remote();
 *   System.out.println(count.get());
 * }
 * }</pre>
 *
 * <p>The static methods work on the <em>current session</em>: inside a task or an actor the session
 * that runs it, elsewhere the one that {@link #init} started in this process. Programs that hold
 * several sessions at once make them with {@link #open} and call the methods of {@link
 * AktisSession}. How arguments may be given is written in {@link TaskFactory}.
 *
 * <p>All methods are thread-safe. Methods that wait say so and throw {@link TimeoutException},
 * {@link CallerInterruptedException} or {@link SessionClosedException}; all failures are unchecked
 * and extend {@link AktisException}.
 */
public final class Aktis {
  private static final AtomicReference<@Nullable AktisSession> DEFAULT = new AtomicReference<>();
  private static final Object INIT_LOCK = new Object();

  private Aktis() {}

  // ---- sessions ---------------------------------------------------------------------------

  /**
   * Starts the session of this process: embedded, unless {@code AKTIS_ADDRESS} names a cluster.
   *
   * @throws IllegalStateException when a session is running already; the message names it
   */
  public static AktisSession init() {
    return init(options -> options);
  }

  /**
   * Starts the session of this process on the cluster at {@code address}.
   *
   * @param address {@code aktis://host:port}, {@code auto}, or {@code local} for embedded
   * @throws IllegalArgumentException when no engine for such an address is on the class path
   */
  public static AktisSession init(String address) {
    return init(options -> options.address(address));
  }

  /**
   * Starts the session of this process with options.
   *
   * @throws IllegalStateException when a session is running, unless {@link
   *     SessionOptions#reuseRunning} is on
   * @throws IllegalArgumentException when options contradict each other
   */
  public static AktisSession init(UnaryOperator<SessionOptions> options) {
    SessionOptions chosen = chosen(options);
    synchronized (INIT_LOCK) {
      AktisSession running = DEFAULT.get();
      if (running != null && !running.isClosed()) {
        if (chosen.isReuseRunning()) {
          return running;
        }
        throw new IllegalStateException(
            "Session "
                + running.id()
                + " is running in this process already. Close it first, ask for it with"
                + " Aktis.session(), allow reuse with init(o -> o.reuseRunning()), or make an"
                + " independent one with Aktis.open(...).");
      }
      AktisSession started = start(chosen);
      DEFAULT.set(started);
      return started;
    }
  }

  /**
   * Starts a session that the static methods do not use, beside any other. Whoever opens it closes
   * it; the end of the JVM does so too.
   *
   * @throws IllegalArgumentException when no engine for the address is on the class path
   */
  public static AktisSession open() {
    return open(options -> options);
  }

  /**
   * Starts a session with options that the static methods do not use, beside any other.
   *
   * @throws IllegalArgumentException when options contradict each other, or no engine for the
   *     address is on the class path
   */
  public static AktisSession open(UnaryOperator<SessionOptions> options) {
    return start(chosen(options));
  }

  /**
   * Returns the current session: of the running task, or else the one that {@link #init} started,
   * which may be closed by now. Threads that a task starts by itself are not part of the task.
   *
   * @throws IllegalStateException when there is none
   */
  public static AktisSession session() {
    Optional<AktisContext> context = AktisContext.current();
    if (context.isPresent()) {
      return context.get().session();
    }
    AktisSession running = DEFAULT.get();
    if (running == null) {
      throw new IllegalStateException("No session is running. Call Aktis.init() first.");
    }
    return running;
  }

  /** Returns whether {@link #session} would return a session that is open. */
  public static boolean isInitialized() {
    if (AktisContext.current().isPresent()) {
      return true;
    }
    AktisSession running = DEFAULT.get();
    return running != null && !running.isClosed();
  }

  /** Closes the session that {@link #init} started, and waits for its end; idempotent. */
  public static void shutdown() {
    AktisSession running = DEFAULT.getAndSet(null);
    if (running != null) {
      running.close();
    }
  }

  private static SessionOptions chosen(UnaryOperator<SessionOptions> options) {
    Checks.notNull(options, "the options");
    return Checks.notNull(options.apply(SessionOptions.fromEnvironment()), "the chosen options");
  }

  private static AktisSession start(SessionOptions options) {
    if (options.isShaped() && !options.address().startsWith("local")) {
      throw new IllegalArgumentException(
          "cpus, gpus, memoryBytes, objectStoreBytes, resource, label and node describe the nodes"
              + " of an embedded session; the nodes of "
              + options.address()
              + " exist already. Leave them out, or leave the address out.");
    }
    for (EngineProvider provider : ServiceLoader.load(EngineProvider.class, loader())) {
      if (provider.accepts(options.address())) {
        return provider.open(options);
      }
    }
    throw new IllegalArgumentException(
        "No engine on the class path takes the address '"
            + options.address()
            + "'. Embedded sessions ('local') need the artifact aktis-runtime; addresses like"
            + " aktis://host:port need aktis-cluster.");
  }

  private static ClassLoader loader() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return context != null ? context : Aktis.class.getClassLoader();
  }

  // ---- values -----------------------------------------------------------------------------

  /**
   * Stores a sealed copy of {@code value}; waits while the object store is full.
   *
   * @throws IllegalArgumentException when {@code value} is a reference
   * @throws NotSerializableException when it cannot be stored; names the field
   * @throws ObjectStoreFullException when no room is made in time, or it is larger than the store
   * @throws OutOfDiskException when no room is made because the disk takes nothing
   */
  public static <T> ObjectRef<T> put(T value) {
    return session().put(value);
  }

  /** Waits for the value; the same as {@link ObjectRef#get()}. */
  public static <T> T get(ObjectRef<T> ref) {
    return session().get(ref);
  }

  /**
   * Waits for the value until {@code timeout} is over; zero only looks.
   *
   * @throws TimeoutException when the time is over; what makes the value goes on
   */
  public static <T> T get(ObjectRef<T> ref, Duration timeout) {
    return session().get(ref, timeout);
  }

  /** Waits for all values and returns them in the order given; fails on the first failure. */
  public static <T> List<T> get(Collection<? extends ObjectRef<? extends T>> refs) {
    return session().get(refs);
  }

  /**
   * Waits for all values until {@code timeout} is over.
   *
   * @throws TimeoutException when the time is over; what makes the values goes on
   */
  public static <T> List<T> get(
      Collection<? extends ObjectRef<? extends T>> refs, Duration timeout) {
    return session().get(refs, timeout);
  }

  /**
   * Waits until one of {@code refs} is ready, failed included.
   *
   * @throws IllegalArgumentException on duplicates, or when there is no reference
   */
  public static <T> WaitResult<T> wait(List<ObjectRef<T>> refs) {
    return session().wait(refs);
  }

  /**
   * Waits until {@code count} of {@code refs} are ready, or {@code timeout} is over.
   *
   * @throws IllegalArgumentException on duplicates, or a count below 1 or above the size
   */
  public static <T> WaitResult<T> wait(
      List<ObjectRef<T>> refs, int count, Duration timeout, WaitOption... options) {
    return session().wait(refs, count, timeout, options);
  }

  /**
   * Gives the references one by one as they finish, failed included; each step waits for the next.
   * The whole costs time linear in their number. The iteration can be done once.
   */
  public static <T> Iterable<ObjectRef<T>> completed(Collection<? extends ObjectRef<T>> refs) {
    return session().completed(refs);
  }

  // ---- doors ------------------------------------------------------------------------------

  /** Prepares an ordered parallel map that makes batches by itself. */
  public static <T, R> MapCall<T, R> map(
      Collection<? extends T> items, TaskFunction1<? super T, ? extends R> function) {
    return session().map(items, function);
  }

  /** Returns an {@link ExecutorService} whose work runs on the current session. */
  public static ExecutorService executor() {
    return session().executor();
  }

  /**
   * Returns the running actor of that name in the session's namespace, as one of class {@code
   * type}.
   *
   * @throws IllegalArgumentException when there is none; the message lists where the name exists
   */
  public static <A> ActorHandle<A> getActor(Class<A> type, String name) {
    return session().getActor(type, name);
  }

  /**
   * Returns the running actor of that name in {@code namespace}, as one of class {@code type},
   * which is checked once the actor is made.
   *
   * @throws IllegalArgumentException when there is none; the message lists where the name exists
   */
  public static <A> ActorHandle<A> getActor(Class<A> type, String name, String namespace) {
    return session().getActor(type, name, namespace);
  }

  /**
   * Ends the actor whose method is running, after this call.
   *
   * @throws IllegalStateException outside an actor
   */
  public static void exitActor() {
    context().exitActor();
  }

  /**
   * Prepares a placement group of bundles.
   *
   * @throws IllegalArgumentException when there is no bundle
   */
  public static PlacementGroupCall placementGroup(PlacementStrategy strategy, Bundle... bundles) {
    return session().placementGroup(strategy, bundles);
  }

  /**
   * Returns the placement group of that name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static PlacementGroup getPlacementGroup(String name) {
    return session().getPlacementGroup(name);
  }

  /**
   * Returns what the running task or actor method knows about itself.
   *
   * @throws IllegalStateException outside a task
   */
  public static AktisContext context() {
    return AktisContext.current()
        .orElseThrow(() ->
            new IllegalStateException(
                "Aktis.context() was called outside a task. It describes the running task or"
                    + " actor method, on the thread that the engine gave it."));
  }

  // ---- work -------------------------------------------------------------------------------

  /** Prepares a task in the current session: a function of no arguments. */
  public static <R> TaskCall<R> task(TaskFunction0<? extends R> function) {
    return session().task(function);
  }

  /** Prepares a task in the current session: a function of one argument. */
  public static <A, R> TaskCall<R> task(TaskFunction1<? super A, ? extends R> function, A a) {
    return session().task(function, a);
  }

  /** Prepares a task in the current session: a function of one argument, given as a reference. */
  public static <A, R> TaskCall<R> task(
      TaskFunction1<? super A, ? extends R> function, Arg<? extends A> a) {
    return session().task(function, a);
  }

  /** Prepares a task in the current session: a function of two arguments. */
  public static <A, B, R> TaskCall<R> task(
      TaskFunction2<? super A, ? super B, ? extends R> function, A a, B b) {
    return session().task(function, a, b);
  }

  /**
   * Prepares a task in the current session: a function of two arguments, the first as a reference.
   */
  public static <A, B, R> TaskCall<R> task(
      TaskFunction2<? super A, ? super B, ? extends R> function, Arg<? extends A> a, B b) {
    return session().task(function, a, b);
  }

  /**
   * Prepares a task in the current session: a function of two arguments, the second as a reference.
   */
  public static <A, B, R> TaskCall<R> task(
      TaskFunction2<? super A, ? super B, ? extends R> function, A a, Arg<? extends B> b) {
    return session().task(function, a, b);
  }

  /**
   * Prepares a task in the current session: a function of two arguments, given as references or
   * {@link Arg#of wrapped values}.
   */
  public static <A, B, R> TaskCall<R> task(
      TaskFunction2<? super A, ? super B, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b) {
    return session().task(function, a, b);
  }

  /** Prepares a task in the current session: a function of three arguments. */
  public static <A, B, C, R> TaskCall<R> task(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> function, A a, B b, C c) {
    return session().task(function, a, b, c);
  }

  /**
   * Prepares a task in the current session: a function of three arguments, given as references or
   * {@link Arg#of wrapped values}.
   */
  public static <A, B, C, R> TaskCall<R> task(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return session().task(function, a, b, c);
  }

  /** Prepares a task in the current session: a function of four arguments. */
  public static <A, B, C, D, R> TaskCall<R> task(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends R> function,
      A a,
      B b,
      C c,
      D d) {
    return session().task(function, a, b, c, d);
  }

  /**
   * Prepares a task in the current session: a function of four arguments, given as references or
   * {@link Arg#of wrapped values}.
   */
  public static <A, B, C, D, R> TaskCall<R> task(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d) {
    return session().task(function, a, b, c, d);
  }

  /** Prepares a task in the current session: a function of five arguments. */
  public static <A, B, C, D, E, R> TaskCall<R> task(
      TaskFunction5<? super A, ? super B, ? super C, ? super D, ? super E, ? extends R> function,
      A a,
      B b,
      C c,
      D d,
      E e) {
    return session().task(function, a, b, c, d, e);
  }

  /**
   * Prepares a task in the current session: a function of five arguments, given as references or
   * {@link Arg#of wrapped values}.
   */
  public static <A, B, C, D, E, R> TaskCall<R> task(
      TaskFunction5<? super A, ? super B, ? super C, ? super D, ? super E, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e) {
    return session().task(function, a, b, c, d, e);
  }

  /** Prepares a task in the current session: a function of six arguments. */
  public static <A, B, C, D, E, F, R> TaskCall<R> task(
      TaskFunction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F, ? extends R>
          function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f) {
    return session().task(function, a, b, c, d, e, f);
  }

  /**
   * Prepares a task in the current session: a function of six arguments, given as references or
   * {@link Arg#of wrapped values}.
   */
  public static <A, B, C, D, E, F, R> TaskCall<R> task(
      TaskFunction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F, ? extends R>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return session().task(function, a, b, c, d, e, f);
  }

  /** Prepares a task without a result: no arguments. */
  public static TaskCall<Void> run(TaskAction0 action) {
    return session().run(action);
  }

  /** Prepares a task without a result: one argument. */
  public static <A> TaskCall<Void> run(TaskAction1<? super A> action, A a) {
    return session().run(action, a);
  }

  /** Prepares a task without a result: one argument, given as a reference. */
  public static <A> TaskCall<Void> run(TaskAction1<? super A> action, Arg<? extends A> a) {
    return session().run(action, a);
  }

  /** Prepares a task without a result: two arguments. */
  public static <A, B> TaskCall<Void> run(TaskAction2<? super A, ? super B> action, A a, B b) {
    return session().run(action, a, b);
  }

  /** Prepares a task without a result: two arguments, the first as a reference. */
  public static <A, B> TaskCall<Void> run(
      TaskAction2<? super A, ? super B> action, Arg<? extends A> a, B b) {
    return session().run(action, a, b);
  }

  /** Prepares a task without a result: two arguments, the second as a reference. */
  public static <A, B> TaskCall<Void> run(
      TaskAction2<? super A, ? super B> action, A a, Arg<? extends B> b) {
    return session().run(action, a, b);
  }

  /**
   * Prepares a task without a result: two arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  public static <A, B> TaskCall<Void> run(
      TaskAction2<? super A, ? super B> action, Arg<? extends A> a, Arg<? extends B> b) {
    return session().run(action, a, b);
  }

  /** Prepares a task without a result: three arguments. */
  public static <A, B, C> TaskCall<Void> run(
      TaskAction3<? super A, ? super B, ? super C> action, A a, B b, C c) {
    return session().run(action, a, b, c);
  }

  /**
   * Prepares a task without a result: three arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  public static <A, B, C> TaskCall<Void> run(
      TaskAction3<? super A, ? super B, ? super C> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return session().run(action, a, b, c);
  }

  /** Prepares a task without a result: four arguments. */
  public static <A, B, C, D> TaskCall<Void> run(
      TaskAction4<? super A, ? super B, ? super C, ? super D> action, A a, B b, C c, D d) {
    return session().run(action, a, b, c, d);
  }

  /**
   * Prepares a task without a result: four arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  public static <A, B, C, D> TaskCall<Void> run(
      TaskAction4<? super A, ? super B, ? super C, ? super D> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d) {
    return session().run(action, a, b, c, d);
  }

  /** Prepares a task without a result: five arguments. */
  public static <A, B, C, D, E> TaskCall<Void> run(
      TaskAction5<? super A, ? super B, ? super C, ? super D, ? super E> action,
      A a,
      B b,
      C c,
      D d,
      E e) {
    return session().run(action, a, b, c, d, e);
  }

  /**
   * Prepares a task without a result: five arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  public static <A, B, C, D, E> TaskCall<Void> run(
      TaskAction5<? super A, ? super B, ? super C, ? super D, ? super E> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e) {
    return session().run(action, a, b, c, d, e);
  }

  /** Prepares a task without a result: six arguments. */
  public static <A, B, C, D, E, F> TaskCall<Void> run(
      TaskAction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F> action,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f) {
    return session().run(action, a, b, c, d, e, f);
  }

  /**
   * Prepares a task without a result: six arguments, given as references or {@link Arg#of wrapped
   * values}.
   */
  public static <A, B, C, D, E, F> TaskCall<Void> run(
      TaskAction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F> action,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return session().run(action, a, b, c, d, e, f);
  }

  /** Prepares a task that gives a stream of values: a function of no arguments. */
  public static <R> StreamCall<R> stream(TaskFunction0<? extends Stream<? extends R>> function) {
    return session().stream(function);
  }

  /** Prepares a task that gives a stream of values: a function of one argument. */
  public static <A, R> StreamCall<R> stream(
      TaskFunction1<? super A, ? extends Stream<? extends R>> function, A a) {
    return session().stream(function, a);
  }

  /**
   * Prepares a task that gives a stream of values: a function of one argument, given as a
   * reference.
   */
  public static <A, R> StreamCall<R> stream(
      TaskFunction1<? super A, ? extends Stream<? extends R>> function, Arg<? extends A> a) {
    return session().stream(function, a);
  }

  /** Prepares a task that gives a stream of values: a function of two arguments. */
  public static <A, B, R> StreamCall<R> stream(
      TaskFunction2<? super A, ? super B, ? extends Stream<? extends R>> function, A a, B b) {
    return session().stream(function, a, b);
  }

  /**
   * Prepares a task that gives a stream of values: a function of two arguments, the first as a
   * reference.
   */
  public static <A, B, R> StreamCall<R> stream(
      TaskFunction2<? super A, ? super B, ? extends Stream<? extends R>> function,
      Arg<? extends A> a,
      B b) {
    return session().stream(function, a, b);
  }

  /**
   * Prepares a task that gives a stream of values: a function of two arguments, the second as a
   * reference.
   */
  public static <A, B, R> StreamCall<R> stream(
      TaskFunction2<? super A, ? super B, ? extends Stream<? extends R>> function,
      A a,
      Arg<? extends B> b) {
    return session().stream(function, a, b);
  }

  /**
   * Prepares a task that gives a stream of values: a function of two arguments, given as references
   * or {@link Arg#of wrapped values}.
   */
  public static <A, B, R> StreamCall<R> stream(
      TaskFunction2<? super A, ? super B, ? extends Stream<? extends R>> function,
      Arg<? extends A> a,
      Arg<? extends B> b) {
    return session().stream(function, a, b);
  }

  /** Prepares a task that gives a stream of values: a function of three arguments. */
  public static <A, B, C, R> StreamCall<R> stream(
      TaskFunction3<? super A, ? super B, ? super C, ? extends Stream<? extends R>> function,
      A a,
      B b,
      C c) {
    return session().stream(function, a, b, c);
  }

  /**
   * Prepares a task that gives a stream of values: a function of three arguments, given as
   * references or {@link Arg#of wrapped values}.
   */
  public static <A, B, C, R> StreamCall<R> stream(
      TaskFunction3<? super A, ? super B, ? super C, ? extends Stream<? extends R>> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return session().stream(function, a, b, c);
  }

  /** Prepares a task that gives a stream of values: a function of four arguments. */
  public static <A, B, C, D, R> StreamCall<R> stream(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends Stream<? extends R>>
          function,
      A a,
      B b,
      C c,
      D d) {
    return session().stream(function, a, b, c, d);
  }

  /**
   * Prepares a task that gives a stream of values: a function of four arguments, given as
   * references or {@link Arg#of wrapped values}.
   */
  public static <A, B, C, D, R> StreamCall<R> stream(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends Stream<? extends R>>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d) {
    return session().stream(function, a, b, c, d);
  }

  /** Prepares a task that gives a stream of values: a function of five arguments. */
  public static <A, B, C, D, E, R> StreamCall<R> stream(
      TaskFunction5<
              ? super A, ? super B, ? super C, ? super D, ? super E, ? extends Stream<? extends R>>
          function,
      A a,
      B b,
      C c,
      D d,
      E e) {
    return session().stream(function, a, b, c, d, e);
  }

  /**
   * Prepares a task that gives a stream of values: a function of five arguments, given as
   * references or {@link Arg#of wrapped values}.
   */
  public static <A, B, C, D, E, R> StreamCall<R> stream(
      TaskFunction5<
              ? super A, ? super B, ? super C, ? super D, ? super E, ? extends Stream<? extends R>>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e) {
    return session().stream(function, a, b, c, d, e);
  }

  /** Prepares a task that gives a stream of values: a function of six arguments. */
  public static <A, B, C, D, E, F, R> StreamCall<R> stream(
      TaskFunction6<
              ? super A,
              ? super B,
              ? super C,
              ? super D,
              ? super E,
              ? super F,
              ? extends Stream<? extends R>>
          function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f) {
    return session().stream(function, a, b, c, d, e, f);
  }

  /**
   * Prepares a task that gives a stream of values: a function of six arguments, given as references
   * or {@link Arg#of wrapped values}.
   */
  public static <A, B, C, D, E, F, R> StreamCall<R> stream(
      TaskFunction6<
              ? super A,
              ? super B,
              ? super C,
              ? super D,
              ? super E,
              ? super F,
              ? extends Stream<? extends R>>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return session().stream(function, a, b, c, d, e, f);
  }

  /** Prepares an actor: a constructor or factory of no arguments. */
  public static <R> ActorCall<R> actor(TaskFunction0<? extends R> function) {
    return session().actor(function);
  }

  /** Prepares an actor: a constructor or factory of one argument. */
  public static <A, R> ActorCall<R> actor(TaskFunction1<? super A, ? extends R> function, A a) {
    return session().actor(function, a);
  }

  /** Prepares an actor: a constructor or factory of one argument, given as a reference. */
  public static <A, R> ActorCall<R> actor(
      TaskFunction1<? super A, ? extends R> function, Arg<? extends A> a) {
    return session().actor(function, a);
  }

  /** Prepares an actor: a constructor or factory of two arguments. */
  public static <A, B, R> ActorCall<R> actor(
      TaskFunction2<? super A, ? super B, ? extends R> function, A a, B b) {
    return session().actor(function, a, b);
  }

  /** Prepares an actor: a constructor or factory of two arguments, the first as a reference. */
  public static <A, B, R> ActorCall<R> actor(
      TaskFunction2<? super A, ? super B, ? extends R> function, Arg<? extends A> a, B b) {
    return session().actor(function, a, b);
  }

  /** Prepares an actor: a constructor or factory of two arguments, the second as a reference. */
  public static <A, B, R> ActorCall<R> actor(
      TaskFunction2<? super A, ? super B, ? extends R> function, A a, Arg<? extends B> b) {
    return session().actor(function, a, b);
  }

  /**
   * Prepares an actor: a constructor or factory of two arguments, given as references or {@link
   * Arg#of wrapped values}.
   */
  public static <A, B, R> ActorCall<R> actor(
      TaskFunction2<? super A, ? super B, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b) {
    return session().actor(function, a, b);
  }

  /** Prepares an actor: a constructor or factory of three arguments. */
  public static <A, B, C, R> ActorCall<R> actor(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> function, A a, B b, C c) {
    return session().actor(function, a, b, c);
  }

  /**
   * Prepares an actor: a constructor or factory of three arguments, given as references or {@link
   * Arg#of wrapped values}.
   */
  public static <A, B, C, R> ActorCall<R> actor(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c) {
    return session().actor(function, a, b, c);
  }

  /** Prepares an actor: a constructor or factory of four arguments. */
  public static <A, B, C, D, R> ActorCall<R> actor(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends R> function,
      A a,
      B b,
      C c,
      D d) {
    return session().actor(function, a, b, c, d);
  }

  /**
   * Prepares an actor: a constructor or factory of four arguments, given as references or {@link
   * Arg#of wrapped values}.
   */
  public static <A, B, C, D, R> ActorCall<R> actor(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d) {
    return session().actor(function, a, b, c, d);
  }

  /** Prepares an actor: a constructor or factory of five arguments. */
  public static <A, B, C, D, E, R> ActorCall<R> actor(
      TaskFunction5<? super A, ? super B, ? super C, ? super D, ? super E, ? extends R> function,
      A a,
      B b,
      C c,
      D d,
      E e) {
    return session().actor(function, a, b, c, d, e);
  }

  /**
   * Prepares an actor: a constructor or factory of five arguments, given as references or {@link
   * Arg#of wrapped values}.
   */
  public static <A, B, C, D, E, R> ActorCall<R> actor(
      TaskFunction5<? super A, ? super B, ? super C, ? super D, ? super E, ? extends R> function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e) {
    return session().actor(function, a, b, c, d, e);
  }

  /** Prepares an actor: a constructor or factory of six arguments. */
  public static <A, B, C, D, E, F, R> ActorCall<R> actor(
      TaskFunction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F, ? extends R>
          function,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f) {
    return session().actor(function, a, b, c, d, e, f);
  }

  /**
   * Prepares an actor: a constructor or factory of six arguments, given as references or {@link
   * Arg#of wrapped values}.
   */
  public static <A, B, C, D, E, F, R> ActorCall<R> actor(
      TaskFunction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F, ? extends R>
          function,
      Arg<? extends A> a,
      Arg<? extends B> b,
      Arg<? extends C> c,
      Arg<? extends D> d,
      Arg<? extends E> e,
      Arg<? extends F> f) {
    return session().actor(function, a, b, c, d, e, f);
  }

  /** Makes a remote function of no arguments for the session that is current when it is called. */
  public static <R> RemoteFunction0<R> remote(TaskFunction0<? extends R> function) {
    return new RemoteFunction0<>(() -> session().engine(), Work.of(function));
  }

  /** Makes a remote function of one argument for the session that is current when it is called. */
  public static <A, R> RemoteFunction1<A, R> remote(
      TaskFunction1<? super A, ? extends R> function) {
    return new RemoteFunction1<>(() -> session().engine(), Work.of(function));
  }

  /** Makes a remote function of two arguments for the session that is current when it is called. */
  public static <A, B, R> RemoteFunction2<A, B, R> remote(
      TaskFunction2<? super A, ? super B, ? extends R> function) {
    return new RemoteFunction2<>(() -> session().engine(), Work.of(function));
  }

  /**
   * Makes a remote function of three arguments for the session that is current when it is called.
   */
  public static <A, B, C, R> RemoteFunction3<A, B, C, R> remote(
      TaskFunction3<? super A, ? super B, ? super C, ? extends R> function) {
    return new RemoteFunction3<>(() -> session().engine(), Work.of(function));
  }

  /**
   * Makes a remote function of four arguments for the session that is current when it is called.
   */
  public static <A, B, C, D, R> RemoteFunction4<A, B, C, D, R> remote(
      TaskFunction4<? super A, ? super B, ? super C, ? super D, ? extends R> function) {
    return new RemoteFunction4<>(() -> session().engine(), Work.of(function));
  }

  /**
   * Makes a remote function of five arguments for the session that is current when it is called.
   */
  public static <A, B, C, D, E, R> RemoteFunction5<A, B, C, D, E, R> remote(
      TaskFunction5<? super A, ? super B, ? super C, ? super D, ? super E, ? extends R> function) {
    return new RemoteFunction5<>(() -> session().engine(), Work.of(function));
  }

  /** Makes a remote function of six arguments for the session that is current when it is called. */
  public static <A, B, C, D, E, F, R> RemoteFunction6<A, B, C, D, E, F, R> remote(
      TaskFunction6<? super A, ? super B, ? super C, ? super D, ? super E, ? super F, ? extends R>
          function) {
    return new RemoteFunction6<>(() -> session().engine(), Work.of(function));
  }
}
