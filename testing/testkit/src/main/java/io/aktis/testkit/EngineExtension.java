package io.aktis.testkit;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Does what {@link EngineTest} says. */
final class EngineExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(EngineExtension.class);

  @Override
  public void beforeEach(ExtensionContext context) {
    EngineTest test = annotation(context);
    ClusterUnderTest cluster = ClusterUnderTest.current();
    cluster.prepare();
    context.getStore(NAMESPACE).put(Leaks.class, Leaks.since());
    context.getStore(NAMESPACE).put(ClusterUnderTest.class, cluster);
    if (test.open()) {
      EngineOfTest engine = EngineOfTest.open(cluster, SessionShape.of(test));
      context.getStore(NAMESPACE).put(EngineOfTest.class, engine);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    SignalBoard.current().releaseAll();
    try {
      checkAndClose(context);
    } finally {
      ClusterUnderTest cluster =
          context.getStore(NAMESPACE).get(ClusterUnderTest.class, ClusterUnderTest.class);
      if (cluster != null) {
        cluster.release();
      }
    }
  }

  private static void checkAndClose(ExtensionContext context) {
    EngineOfTest engine = engine(context);
    try {
      if (engine != null) {
        engine.checkSound();
        if (context.getExecutionException().isEmpty()) {
          engine.checkIdle();
        }
      }
    } finally {
      close(engine);
    }
    if (engine != null) {
      engine.checkGone();
    }
    Leaks leaks = context.getStore(NAMESPACE).get(Leaks.class, Leaks.class);
    if (leaks != null) {
      leaks.awaitNone();
    }
  }

  private static void close(@Nullable EngineOfTest engine) {
    if (engine != null) {
      engine.session().close();
    }
    Aktis.shutdown();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return List.of(AktisSession.class, EngineInspection.class, NodeFaults.class)
        .contains(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    EngineOfTest engine = engine(context);
    if (engine == null) {
      throw new IllegalStateException("This test has no session to take parameters from");
    }
    Class<?> type = parameter.getParameter().getType();
    if (type == AktisSession.class) {
      return engine.session();
    }
    return type == EngineInspection.class ? engine.inspection() : engine.faults();
  }

  private static @Nullable EngineOfTest engine(ExtensionContext context) {
    return context.getStore(NAMESPACE).get(EngineOfTest.class, EngineOfTest.class);
  }

  private static EngineTest annotation(ExtensionContext context) {
    EngineTest ofMethod = context.getRequiredTestMethod().getAnnotation(EngineTest.class);
    if (ofMethod != null) {
      return ofMethod;
    }
    for (Class<?> type = context.getRequiredTestClass();
        type != null;
        type = type.getEnclosingClass()) {
      EngineTest ofClass = type.getAnnotation(EngineTest.class);
      if (ofClass != null) {
        return ofClass;
      }
    }
    throw new IllegalStateException("There is no @EngineTest at " + context.getDisplayName());
  }
}
