package io.aktis.testkit;

import io.aktis.AktisSession;
import io.aktis.runtime.session.EmbeddedInspector;
import java.util.List;

/** The engine in the JVM of the test; nodes are virtual, and go with their session. */
final class EmbeddedUnderTest implements ClusterUnderTest {
  @Override
  public String mode() {
    return "embedded";
  }

  @Override
  public void prepare() {}

  @Override
  public Deployment deploy(SessionShape shape) {
    return new Deployment("local", shape::describe, List.of());
  }

  @Override
  public EngineInspection inspect(AktisSession session) {
    return new Inspection(EmbeddedInspector.of(session));
  }

  @Override
  public NodeFaults faults(AktisSession session) {
    return EmbeddedInspector.of(session)::killNode;
  }

  @Override
  public void release() {}

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
