package io.aktis;

import java.util.ArrayList;
import java.util.List;

/**
 * The options of tasks, beside those of {@link WorkOptions}.
 *
 * @param <S> the type that carries the options
 */
public interface TaskOptions<S> extends WorkOptions<S> {
  /** Names the task in tools and failures. */
  default S named(String name) {
    return options(options().withName(name));
  }

  /**
   * Sets how often the task runs again when its process or node is lost while it runs [3]; 0: it
   * runs at most once.
   */
  default S maxRetries(int retries) {
    return options(options().withMaxRetries(retries));
  }

  /**
   * Retries also when the code throws this, subclasses included, up to maxRetries times, counted
   * apart from losses; several calls add up.
   */
  default S retryOn(Class<? extends Throwable> failure) {
    List<Class<? extends Throwable>> all = new ArrayList<>(options().retryOn());
    all.add(Checks.notNull(failure, "the class of failures"));
    return options(options().withRetryOn(all));
  }
}
