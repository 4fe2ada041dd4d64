package io.aktis.testkit;

import io.aktis.Aktis;
import io.aktis.AktisSession;
import io.aktis.SessionOptions;
import io.aktis.runtime.embedded.EmbeddedInspector;
import java.util.List;
import java.util.function.UnaryOperator;

/** The engine in the JVM of the test; nodes are virtual. */
final class EmbeddedUnderTest implements ClusterUnderTest {
  @Override
  public String mode() {
    return "embedded";
  }

  @Override
  public AktisSession open(UnaryOperator<SessionOptions> shape) {
    return Aktis.init(shape);
  }

  @Override
  public EngineInspection inspect(AktisSession session) {
    return new Inspection(EmbeddedInspector.of(session));
  }

  @Override
  public NodeFaults faults(AktisSession session) {
    return EmbeddedInspector.of(session)::killNode;
  }

  private record Inspection(EmbeddedInspector inspector) implements EngineInspection {
    @Override
    public List<String> problems() {
      return inspector.problems();
    }

    @Override
    public long pinnedBytes() {
      return inspector.pinnedBytes();
    }

    @Override
    public long storeUsedBytes() {
      return inspector.storeUsedBytes();
    }
  }
}
