package io.aktis.runtime.session;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.aktis.ActorOptions;
import io.aktis.CallOptions;
import io.aktis.ConcurrencyGroups;
import io.aktis.LabelRule;
import io.aktis.Lifetime;
import io.aktis.PendingCallsPolicy;
import io.aktis.PlacementGroup;
import io.aktis.RuntimeEnv;
import io.aktis.Scheduling;
import io.aktis.function.TaskAction1;
import io.aktis.wire.message.GroupDescription;
import io.aktis.wire.message.InGroup;
import io.aktis.wire.message.LabelSelector;
import io.aktis.wire.message.OnNode;
import io.aktis.wire.message.WorkOptions;
import io.aktis.wire.value.Encoded;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Options as messages carry them, and back. Thread-safe. */
final class WireOptions {
  private final Values values;
  private final ClassLoader loader;
  private final Function<GroupDescription, PlacementGroup> groups;

  /**
   * Makes a translator.
   *
   * @param values for code inside of options
   * @param loader finds the types that options name
   * @param groups finds the groups that options name
   */
  WireOptions(
      Values values, ClassLoader loader, Function<GroupDescription, PlacementGroup> groups) {
    this.values = values;
    this.loader = loader;
    this.groups = groups;
  }

  // ---- work -----------------------------------------------------------------------------------

  /** Returns the bytes of options; equal for equal ones, and empty for the default. */
  @SuppressWarnings("ReferenceEquality") // the usual case; others are translated
  ByteString bytes(CallOptions options) {
    if (options == CallOptions.DEFAULTS) {
      return ByteString.EMPTY;
    }
    WorkOptions message = message(options);
    byte[] bytes = new byte[message.getSerializedSize()];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.useDeterministicSerialization();
    try {
      message.writeTo(out);
    } catch (IOException e) {
      throw new IllegalStateException("an array of the right size is too small", e);
    }
    return ByteString.copyFrom(bytes);
  }

  CallOptions options(ByteString bytes) {
    if (bytes.isEmpty()) {
      return CallOptions.DEFAULTS;
    }
    try {
      return options(WorkOptions.parseFrom(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("not the bytes of options", e);
    }
  }

  private static WorkOptions message(CallOptions options) {
    WorkOptions.Builder message =
        WorkOptions.newBuilder()
            .setGpus(options.gpus())
            .setMemoryBytes(options.memoryBytes())
            .putAllResources(options.resources())
            .setIsolated(options.isolated())
            .addAllRetryOn(options.retryOn().stream().map(Class::getName).toList());
    options.cpus().ifPresent(message::setCpus);
    if (options.name() != null) {
      message.setName(options.name());
    }
    if (options.maxRetries() != CallOptions.DEFAULTS.maxRetries()) {
      message.setMaxRetries(options.maxRetries());
    }
    if (options.timeout() != null) {
      message.setTimeoutMs(Math.max(1, options.timeout().toMillis()));
    }
    if (!options.runtimeEnv().equals(RuntimeEnv.NONE)) {
      message.setEnv(message(options.runtimeEnv()));
    }
    options.selectors().forEach(rules -> message.addSelectors(message(rules)));
    setPlace(message, options.scheduling());
    return message.build();
  }

  private static void setPlace(WorkOptions.Builder message, Scheduling scheduling) {
    switch (scheduling) {
      case Scheduling.Default _ -> {}
      case Scheduling.Spread _ -> message.setSpread(true);
      case Scheduling.OnNode on ->
          message.setOnNode(OnNode.newBuilder().setNodeId(on.nodeId()).setSoft(on.soft()));
      case Scheduling.InGroup in ->
          message.setInGroup(
              InGroup.newBuilder()
                  .setGroup(((Group) in.group()).description())
                  .setBundle(in.bundle())
                  .setCaptureChildren(in.captureChildren()));
    }
  }

  private static LabelSelector message(Map<String, LabelRule> rules) {
    LabelSelector.Builder message = LabelSelector.newBuilder();
    rules.forEach((label, rule) -> message.putRules(label, message(rule)));
    return message.build();
  }

  private static io.aktis.wire.message.LabelRule message(LabelRule rule) {
    var message = io.aktis.wire.message.LabelRule.newBuilder();
    switch (rule) {
      case LabelRule.In in -> message.addAllValues(in.values());
      case LabelRule.NotIn not ->
          message.setKind(io.aktis.wire.message.LabelRule.Kind.NOT_IN).addAllValues(not.values());
      case LabelRule.Exists _ -> message.setKind(io.aktis.wire.message.LabelRule.Kind.EXISTS);
    }
    return message.build();
  }

  static io.aktis.wire.message.RuntimeEnv message(RuntimeEnv env) {
    return io.aktis.wire.message.RuntimeEnv.newBuilder()
        .putAllVariables(env.variables())
        .addAllJars(env.jars().stream().map(Path::toString).toList())
        .addAllJvmOptions(env.jvmOptions())
        .setWorkingDirectory(env.workingDirectory().map(Path::toString).orElse(""))
        .build();
  }

  static RuntimeEnv environment(io.aktis.wire.message.RuntimeEnv message) {
    return new RuntimeEnv(
        message.getVariablesMap(),
        message.getJarsList().stream().map(Path::of).toList(),
        message.getJvmOptionsList(),
        message.getWorkingDirectory().isEmpty()
            ? Optional.empty()
            : Optional.of(Path.of(message.getWorkingDirectory())));
  }

  private CallOptions options(WorkOptions message) {
    return new CallOptions(
        message.hasCpus() ? OptionalDouble.of(message.getCpus()) : OptionalDouble.empty(),
        message.getGpus(),
        message.getMemoryBytes(),
        message.getResourcesMap(),
        message.getSelectorsList().stream().map(WireOptions::rules).toList(),
        scheduling(message),
        message.getName().isEmpty() ? null : message.getName(),
        message.hasMaxRetries() ? message.getMaxRetries() : CallOptions.DEFAULTS.maxRetries(),
        types(message.getRetryOnList()),
        message.getTimeoutMs() == 0 ? null : Duration.ofMillis(message.getTimeoutMs()),
        message.getIsolated(),
        message.hasEnv() ? environment(message.getEnv()) : RuntimeEnv.NONE);
  }

  private Scheduling scheduling(WorkOptions message) {
    return switch (message.getPlaceCase()) {
      case SPREAD -> new Scheduling.Spread();
      case ON_NODE ->
          new Scheduling.OnNode(message.getOnNode().getNodeId(), message.getOnNode().getSoft());
      case IN_GROUP -> {
        InGroup in = message.getInGroup();
        yield new Scheduling.InGroup(
            groups.apply(in.getGroup()), in.getBundle(), in.getCaptureChildren());
      }
      case PLACE_NOT_SET -> new Scheduling.Default();
    };
  }

  private static Map<String, LabelRule> rules(LabelSelector message) {
    Map<String, LabelRule> rules = new LinkedHashMap<>();
    message
        .getRulesMap()
        .forEach((label, rule) ->
            rules.put(
                label,
                switch (rule.getKind()) {
                  case IN -> new LabelRule.In(rule.getValuesList());
                  case NOT_IN -> new LabelRule.NotIn(rule.getValuesList());
                  case EXISTS -> new LabelRule.Exists();
                  case UNRECOGNIZED ->
                      throw new IllegalArgumentException("unknown rule for label " + label);
                }));
    return rules;
  }

  private List<Class<? extends Throwable>> types(List<String> names) {
    List<Class<? extends Throwable>> types = new ArrayList<>();
    for (String name : names) {
      types.add(type(name).asSubclass(Throwable.class));
    }
    return types;
  }

  /** Returns a type of the job, which the other side has found as well. */
  Class<?> type(String name) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("options name the type " + name + ", not known here", e);
    }
  }

  // ---- actors ---------------------------------------------------------------------------------

  io.aktis.wire.message.ActorOptions message(ActorOptions options) {
    var message =
        io.aktis.wire.message.ActorOptions.newBuilder()
            .setMaxRestarts(options.maxRestarts())
            .setMaxTaskRetries(options.maxTaskRetries())
            .setMaxConcurrency(options.maxConcurrency())
            .putAllGroups(options.groups().limits())
            .setDetached(options.lifetime() == Lifetime.DETACHED)
            .setMaxPendingCalls(options.maxPendingCalls())
            .setPendingCallsPolicy(options.pendingCallsPolicy().name());
    if (options.namespace() != null) {
      message.setNamespace(options.namespace());
    }
    TaskAction1<?> onRestart = options.onRestart();
    if (onRestart != null) {
      message.setOnRestart(ByteString.copyFrom(values.encode(onRestart).toBytes()));
    }
    return message.build();
  }

  ActorOptions options(io.aktis.wire.message.ActorOptions message) {
    return new ActorOptions(
        message.getNamespace().isEmpty() ? null : message.getNamespace(),
        message.getMaxRestarts(),
        message.getMaxTaskRetries(),
        message.getMaxConcurrency(),
        new ConcurrencyGroups(message.getGroupsMap()),
        message.getDetached() ? Lifetime.DETACHED : Lifetime.JOB,
        message.getMaxPendingCalls(),
        PendingCallsPolicy.valueOf(message.getPendingCallsPolicy()),
        onRestart(message.getOnRestart()));
  }

  private @Nullable TaskAction1<?> onRestart(ByteString bytes) {
    return bytes.isEmpty()
        ? null
        : (TaskAction1<?>) values.codec().decode(Encoded.open(bytes.toByteArray()));
  }
}
