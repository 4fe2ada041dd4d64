package io.aktis.simulation;

import io.aktis.core.id.ActorId;
import io.aktis.core.id.ObjectId;
import io.aktis.core.id.TaskId;
import io.aktis.core.owner.TaskKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One attempt, as it is sent to a worker.
 *
 * @param key its name
 * @param task the task
 * @param kind what it is
 * @param attempt the attempt
 * @param name what people see
 * @param script what it does
 * @param milliCpus how many thousandths of a CPU it holds
 * @param args its arguments
 * @param results the objects that it makes
 * @param actor the actor of a call or a creation
 * @param ordered whether that runs one call at a time
 */
record RunSpec(
    RunKey key,
    TaskId task,
    TaskKind kind,
    int attempt,
    String name,
    Script script,
    int milliCpus,
    List<Value> args,
    List<ObjectId> results,
    @Nullable ActorId actor,
    boolean ordered) {
  @Override
  public String toString() {
    return key + " (" + name + ", " + task + ", attempt " + attempt + ")";
  }
}
