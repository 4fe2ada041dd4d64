package io.aktis;

import io.aktis.spi.Engine;
import io.aktis.spi.Work;

/**
 * A task before it is submitted. Immutable: option methods return changed copies, and {@link
 * #remote} may be called again for another task.
 *
 * @param <R> type of the result
 */
public final class TaskCall<R> implements TaskOptions<TaskCall<R>> {
  private final Engine engine;
  private final Work work;

  TaskCall(Engine engine, Work work) {
    this.engine = engine;
    this.work = work;
  }

  @Override
  public CallOptions options() {
    return work.options();
  }

  @Override
  public TaskCall<R> options(CallOptions options) {
    return new TaskCall<>(engine, work.withOptions(options));
  }

  /**
   * Submits the task and returns the reference to its result at once.
   *
   * @throws NotSerializableException when code or an argument cannot be sent; names the field
   * @throws SessionClosedException when the session, or a reference's session, is closed
   * @throws ObjectStoreFullException when a large argument finds no room in time
   * @throws OutOfDiskException when it finds none because the disk takes nothing
   * @throws IllegalStateException when a reference among the arguments was closed
   */
  public ObjectRef<R> remote() {
    return engine.submit(work);
  }

  /**
   * Declares that the function returns a list or an array of {@code count} values of class {@code
   * type}, each of which becomes a result of its own. A wrong length fails the task.
   *
   * @throws IllegalArgumentException when {@code count} is below 1
   */
  public <T> MultiTaskCall<T> returns(int count, Class<T> type) {
    Checks.atLeast(count, 1, "the number of results");
    return new MultiTaskCall<>(engine, work, count, Checks.notNull(type, "the type"));
  }
}
