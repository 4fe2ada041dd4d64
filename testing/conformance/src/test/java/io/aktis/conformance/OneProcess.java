package io.aktis.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test of what is so only where tasks run in the process of the program. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ModeCondition.class)
@interface OneProcess {
  /** Why it does not hold between processes. */
  String value();
}
