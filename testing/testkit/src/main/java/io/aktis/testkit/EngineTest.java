package io.aktis.testkit;

import io.aktis.SessionOptions;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test an engine of its own and looks after it that nothing is left.
 *
 * <pre>{@code
 * @EngineTest(cpus = 4)
 * class PrimesTest {
 *   @Test
 *   void count_smallRange_isRight() {
 *     assertThat(Aktis.task(Primes::count, 0L, 100L).remote().get()).isEqualTo(25);
 *   }
 * }
 * }</pre>
 *
 * <p>The engine is the default session of the process while the test runs. A test or life-cycle
 * method can also have it as a parameter: {@code AktisSession}, {@link EngineInspection} or {@link
 * NodeFaults}. On a method the annotation replaces the one of the class.
 *
 * <p>After the test, before the engine is closed, every {@link Gate} is opened; then, if the test
 * passed, the engine must still run a task, have no broken invariant, and have all resources back.
 * After the close no thread, store byte or file of the engine may be left.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(EngineExtension.class)
public @interface EngineTest {
  /** CPUs of the only node; not beside {@link #nodes}. */
  double cpus() default 2;

  /** GPUs of the only node; not beside {@link #nodes}. */
  int gpus() default 0;

  /** Capacity of the only node's object store, in bytes; 0 for the engine's default. */
  long objectStoreBytes() default 0;

  /** The nodes, when one of the above is not enough. */
  Node[] nodes() default {};

  /** Further options of the session: a class with a constructor without parameters. */
  Class<? extends UnaryOperator<SessionOptions>> options() default NoFurtherOptions.class;

  /** Whether a session is opened; without, the test opens its own and only leaks are looked for. */
  boolean open() default true;
}
