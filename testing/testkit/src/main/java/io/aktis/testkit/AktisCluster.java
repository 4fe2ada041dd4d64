package io.aktis.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the tests of a class on a real cluster: daemons on the loopback address of this machine,
 * with worker processes, as {@code aktis start} starts them.
 *
 * <pre>{@code
 * @AktisCluster(nodes = 3, cpus = 2)
 * class PrimesTest {
 *   @Test
 *   void count_whenANodeIsLost_isRightNevertheless(AktisSession session, TestCluster cluster) {
 *     ObjectRef<Integer> count = session.task(Primes::count, 0, 100).remote();
 *     cluster.kill(cluster.nodeIds().getLast());
 *     assertThat(count.get()).isEqualTo(25);
 *   }
 * }
 * }</pre>
 *
 * <p>The cluster is started before the first test of the class and shared by all of them, those in
 * nested classes too. Each test has a session of its own, which is also the default session of the
 * process while the test runs. A test that has killed or added nodes leaves no traces: the next one
 * gets a new cluster. After the last test nothing is left, and if the JVM of the tests is killed,
 * its clusters end as well.
 *
 * <p>A test or life-cycle method can have a {@link TestCluster} as a parameter; a test, a
 * {@code @BeforeEach} or an {@code @AfterEach} also its {@code AktisSession}. Tests of such classes
 * must not run at the same time in one JVM, for there is one default session.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(AktisClusterExtension.class)
public @interface AktisCluster {
  /** How many nodes, the head included. */
  int nodes() default 2;

  /** CPUs of each node. */
  double cpus() default 1;

  /** GPUs of each node, by declaration only. */
  int gpus() default 0;

  /** Memory that work can reserve on each node, in bytes; 0 for the engine's default. */
  long memoryBytes() default 0;

  /** Capacity of the object store of each node, in bytes; 0 for 1 GiB. */
  long objectStoreBytes() default 0;
}
