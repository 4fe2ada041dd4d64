package io.aktis.runtime.session;

import io.aktis.AktisContext;
import io.aktis.AktisSession;
import io.aktis.PlacementGroup;
import io.aktis.core.owner.Actor;
import io.aktis.core.owner.TaskKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What running code may ask about itself: a view of its attempt. Thread-safe. */
final class RunContext implements AktisContext {
  private final Run run;
  private final Settings settings;

  RunContext(Run run, Settings settings) {
    this.run = run;
    this.settings = settings;
  }

  Run run() {
    return run;
  }

  private ActorHost host() {
    ActorHost host = run.host();
    if (host == null) {
      throw new IllegalStateException("this is a task; only an actor can do that");
    }
    return host;
  }

  @Override
  public AktisSession session() {
    return run.kernel().session();
  }

  @Override
  public String jobId() {
    return run.kernel().sessionId();
  }

  @Override
  public String taskId() {
    return run.task().id().toString();
  }

  @Override
  public String taskName() {
    return run.task().name();
  }

  @Override
  public Optional<String> actorId() {
    return Optional.ofNullable(run.task().actor()).map(actor -> actor.id().toString());
  }

  @Override
  public Optional<String> actorName() {
    Actor actor = run.task().actor();
    return actor == null ? Optional.empty() : run.kernel().actors().nameOf(actor);
  }

  @Override
  public String nodeId() {
    return run.lease().node().toString();
  }

  @Override
  public String workerId() {
    return run.kernel().sessionId();
  }

  @Override
  public int attempt() {
    return run.task().kind() == TaskKind.CREATION ? host().life() : run.attempt();
  }

  @Override
  public String namespace() {
    return run.kernel().session().namespace();
  }

  @Override
  public Map<String, Double> resources() {
    return settings.resources();
  }

  @Override
  public List<String> gpuIds() {
    return run.lease().gpuIds();
  }

  @Override
  public Map<String, String> labels() {
    return run.kernel().labels(run.lease().node());
  }

  @Override
  public Optional<PlacementGroup> placementGroup() {
    return Optional.ofNullable(settings.group());
  }

  @Override
  public Map<String, String> env() {
    return run.kernel().runtimeEnv().mergedWith(settings.options().runtimeEnv()).variables();
  }

  @Override
  public boolean wasRestarted() {
    ActorHost host = run.host();
    return host != null && host.life() > 1;
  }

  @Override
  public boolean isCancelled() {
    return run.isCancelled();
  }

  @Override
  public void saveCheckpoint(Object state) {
    run.kernel().actors().saveCheckpoint(host().actor(), state);
  }

  @Override
  public <S> Optional<S> checkpoint(Class<S> type) {
    return run.kernel().actors().checkpoint(host().actor()).map(type::cast);
  }

  @Override
  public void exitActor() {
    host();
    run.exitActor();
  }
}
