package io.aktis.runtime.port;

/** A process of the cluster that is to own what of a job is detached. Thread-safe. */
public interface KeeperProcess {
  /** Returns why it has ended, in words; empty while it runs. Asks, and may wait for the answer. */
  String end() throws InterruptedException;
}
