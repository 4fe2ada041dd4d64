package io.aktis.cluster.driver;

import io.aktis.RuntimeEnv;
import io.aktis.cluster.code.CodeUnitScan;
import io.aktis.runtime.port.EnvironmentFiles;

/**
 * What a driver sends to nodes.
 *
 * @param code the code of the program
 * @param environments the files of runtime environments
 */
record JobFiles(CodeUnitScan code, Environments environments) implements AutoCloseable {
  /**
   * The runtime environment of the session.
   *
   * @param environment as it was written
   * @param files its files
   */
  record Base(RuntimeEnv environment, EnvironmentFiles files) {}

  /**
   * Reads the environment of the session; may wait.
   *
   * @throws io.aktis.RuntimeEnvException when a file is not there or cannot be sent
   */
  Base base(RuntimeEnv environment) {
    return new Base(environment, environments.find(environment).files());
  }

  /** Lets all go that was packed. Idempotent. */
  @Override
  public void close() {
    environments.close();
    code.close();
  }
}
