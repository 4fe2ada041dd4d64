package io.aktis.cluster;

import io.aktis.cluster.driver.Keeper;
import java.util.List;

/** The main class of the program that owns the detached actors of another job. */
public final class KeeperMain {
  private KeeperMain() {}

  /** Runs until there are no such actors any more. */
  public static void main(String[] args) throws InterruptedException {
    Keeper.run(List.of(args));
  }
}
