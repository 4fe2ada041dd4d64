package io.aktis.conformance;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import io.aktis.testkit.ClusterUnderTest;
import java.lang.reflect.AnnotatedElement;
import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips what the mode of this run cannot have. */
final class ModeCondition implements ExecutionCondition {
  private static final String MODE = System.getProperty(ClusterUnderTest.MODE, "embedded");
  private static final Set<String> SEVERAL = Set.of("processes", "nodes");

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    AnnotatedElement test = context.getRequiredTestMethod();
    OneProcess one = test.getAnnotation(OneProcess.class);
    if (one != null && !MODE.equals("embedded")) {
      return disabled("only where there is one process: " + one.value());
    }
    SeveralProcesses several = test.getAnnotation(SeveralProcesses.class);
    if (several != null && !SEVERAL.contains(MODE)) {
      return disabled("only where there are several processes: " + several.value());
    }
    return enabled("");
  }
}
