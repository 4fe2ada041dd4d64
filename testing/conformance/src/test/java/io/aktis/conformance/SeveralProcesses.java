package io.aktis.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test of what is so only where nodes and workers are processes of their own. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ModeCondition.class)
@interface SeveralProcesses {
  /** Why it does not hold in one process. */
  String value();
}
