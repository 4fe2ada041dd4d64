package io.aktis.cluster;

import io.aktis.cluster.driver.Keeper;
import java.util.List;

/** The main class of the program that owns what of another job is detached. */
public final class KeeperMain {
  private KeeperMain() {}

  /** Runs until there is nothing of that any more. */
  public static void main(String[] args) throws InterruptedException {
    Keeper.run(List.of(args));
  }
}
