package io.aktis.testkit;

import io.aktis.AktisSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Does what {@link AktisCluster} says. */
final class AktisClusterExtension
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(AktisClusterExtension.class);

  /** A nested class finds the cluster of the class around it. JUnit closes it at the end. */
  @Override
  public void beforeAll(ExtensionContext context) {
    if (context.getStore(NAMESPACE).get(ClusterOfTests.class) == null) {
      context
          .getStore(NAMESPACE)
          .put(ClusterOfTests.class, ClusterOfTests.start(annotation(context)));
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    cluster(context).openSession();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    SignalBoard.current().releaseAll();
    cluster(context).closeSession();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == AktisSession.class || type == TestCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ClusterOfTests cluster = cluster(context);
    if (parameter.getParameter().getType() == TestCluster.class) {
      return cluster;
    }
    AktisSession session = cluster.session();
    if (session == null) {
      throw new ParameterResolutionException(
          "each test has a session of its own; before and after all tests, and in the constructor,"
              + " there is none, but a TestCluster");
    }
    return session;
  }

  private static ClusterOfTests cluster(ExtensionContext context) {
    ClusterOfTests cluster =
        context.getStore(NAMESPACE).get(ClusterOfTests.class, ClusterOfTests.class);
    if (cluster == null) {
      throw new IllegalStateException("no cluster was started for " + context.getDisplayName());
    }
    return cluster;
  }

  private static AktisCluster annotation(ExtensionContext context) {
    for (@Nullable Class<?> type = context.getRequiredTestClass();
        type != null;
        type = type.getEnclosingClass()) {
      AktisCluster found = type.getAnnotation(AktisCluster.class);
      if (found != null) {
        return found;
      }
    }
    throw new IllegalStateException("there is no @AktisCluster at " + context.getDisplayName());
  }
}
