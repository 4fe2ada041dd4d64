package io.aktis.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.aktis.core.id.ObjectId;
import io.aktis.core.owner.OwnedObject;
import org.junit.jupiter.api.Test;

/** Objects that workers know. */
class ExportsTest {
  private final Exports exports = new Exports();

  @Test
  void find_whatWasExported_isIt() {
    OwnedObject object = new OwnedObject(new ObjectId(1, 2), null, new Object());
    exports.add(object);
    exports.add(object);

    assertThat(exports.find(new ObjectId(1, 2))).isSameAs(object);
    assertThat(exports.find(new ObjectId(1, 3))).isNull();
  }

  @Test
  void find_afterNobodyHoldsIt_isNothing() {
    exports.add(new OwnedObject(new ObjectId(1, 2), null, new Object()));
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (exports.find(new ObjectId(1, 2)) != null && deadline - System.nanoTime() > 0) {
      System.gc();
    }

    assertThat(exports.find(new ObjectId(1, 2))).isNull();
  }
}
