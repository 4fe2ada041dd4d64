package io.aktis.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A node of an {@link EngineTest}. */
@Documented
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface Node {
  /** Its CPUs. */
  double cpus() default 1;

  /** Its GPUs. */
  int gpus() default 0;

  /** Memory that tasks can reserve, in bytes; 0 for the engine's default. */
  long memoryBytes() default 0;

  /** Capacity of its object store, in bytes; 0 for the engine's default. */
  long objectStoreBytes() default 0;

  /** Its labels, each as {@code name=value}. */
  String[] labels() default {};

  /** Its custom resources, each as {@code name=amount}. */
  String[] resources() default {};
}
