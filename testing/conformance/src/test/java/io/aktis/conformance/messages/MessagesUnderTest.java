package io.aktis.conformance.messages;

import io.aktis.AktisSession;
import io.aktis.testkit.ClusterUnderTest;
import io.aktis.testkit.Deployment;
import io.aktis.testkit.EngineInspection;
import io.aktis.testkit.NodeFaults;
import io.aktis.testkit.SessionShape;
import java.util.List;

/** Deploys the engine for the suite in the mode {@code messages}. */
public final class MessagesUnderTest implements ClusterUnderTest {
  /** Made by the service loader. */
  public MessagesUnderTest() {}

  @Override
  public String mode() {
    return "messages";
  }

  @Override
  public void prepare() {
    WorkerCode.prepare();
  }

  @Override
  public Deployment deploy(SessionShape shape) {
    return new Deployment(
        "local", options -> shape.describe(options.address(MessagesProvider.ADDRESS)), List.of());
  }

  @Override
  public void release() {}

  @Override
  public EngineInspection inspect(AktisSession session) {
    return MessagesCluster.of(session);
  }

  @Override
  public NodeFaults faults(AktisSession session) {
    return MessagesCluster.of(session)::kill;
  }
}
