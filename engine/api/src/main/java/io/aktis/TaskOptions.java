package io.aktis;

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

  /** Sets how often the task runs again when its process or node is lost [3]; 0: runs once. */
  default S maxRetries(int retries) {
    return options(options().withMaxRetries(retries));
  }

  /** Retries also when the code throws one of these, subclasses included, up to maxRetries. */
  @SuppressWarnings("unchecked")
  default S retryOn(Class<? extends Throwable>... failures) {
    return options(options().withRetryOn(List.of(failures)));
  }
}
