package io.aktis.runtime.session;

import io.aktis.Bundle;
import io.aktis.PlacementGroup;
import io.aktis.PlacementStrategy;
import io.aktis.core.id.GroupId;
import io.aktis.core.resource.Resources;
import io.aktis.runtime.form.WireIds;
import io.aktis.runtime.form.WireResources;
import io.aktis.wire.message.CreateGroup;
import io.aktis.wire.message.GroupDescription;
import io.aktis.wire.message.Question;
import io.aktis.wire.value.HandleId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The placement groups of a job as code in a worker uses them: the owner is asked. Thread-safe. */
final class WorkerGroups implements GroupDoor {
  private final WorkerKernel kernel;

  WorkerGroups(WorkerKernel kernel) {
    this.kernel = kernel;
  }

  @Override
  public PlacementGroup create(
      PlacementStrategy strategy, List<Bundle> bundles, @Nullable String given, boolean detached) {
    CreateGroup create = Groups.message(strategy, bundles, given, detached);
    return of(kernel.questions().ask(Question.newBuilder().setCreateGroup(create)).getGroup());
  }

  @Override
  public PlacementGroup find(String name) {
    Objects.requireNonNull(name, "the name must not be null");
    return of(kernel.questions().ask(Question.newBuilder().setFindGroup(name)).getGroup());
  }

  @Override
  public List<String> nodeIds(Group group) {
    return kernel
        .questions()
        .ask(Question.newBuilder().setGroupNodes(WireIds.of(group.groupId())))
        .getTexts()
        .getTextsList();
  }

  @Override
  public void remove(Group group) {
    kernel
        .questions()
        .askLending(
            kernel.session().waits().currentRun(),
            Question.newBuilder().setRemoveGroup(WireIds.of(group.groupId())));
  }

  /** Returns the group that an id names which arrived inside a value. */
  Group of(HandleId id) {
    return of(
        kernel
            .questions()
            .ask(
                Question.newBuilder()
                    .setDescribeGroup(WireIds.of(new GroupId(id.high(), id.low()))))
            .getGroup());
  }

  Group of(GroupDescription description) {
    return new Group(
        kernel,
        WireIds.group(description.getGroup()),
        description.getName(),
        PlacementStrategy.valueOf(description.getStrategy()),
        description.getBundlesList().stream().map(WorkerGroups::bundle).toList(),
        kernel.cells().cell(WireIds.object(description.getReady())),
        0);
  }

  static Bundle bundle(io.aktis.wire.message.Resources message) {
    Resources resources = WireResources.resources(message);
    double one = Resources.UNITS_PER_ONE;
    Bundle bundle =
        new Bundle(
            resources.cpuUnits() / one,
            resources.gpuUnits() / one,
            resources.memoryBytes(),
            java.util.Map.of());
    for (var entry : resources.customUnits().entrySet()) {
      bundle = bundle.resource(entry.getKey(), entry.getValue() / one);
    }
    return bundle;
  }
}
