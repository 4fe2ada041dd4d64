package io.aktis.cluster.control;

/** The store of tests and of clusters that nobody goes on with. */
class MemoryControlStoreTest extends ControlStoreContract {
  private final MemoryControlStore store = new MemoryControlStore(true);

  @Override
  ControlStore open() {
    return store;
  }

  @Override
  void crash(ControlStore of) {
    of.close(); // it lives as long as its object
  }
}
