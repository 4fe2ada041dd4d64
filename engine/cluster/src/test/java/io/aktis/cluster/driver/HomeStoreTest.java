package io.aktis.cluster.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aktis.NodeDiedException;
import io.aktis.core.id.NodeId;
import io.aktis.core.id.ObjectId;
import io.aktis.runtime.port.Location;
import io.aktis.runtime.port.StoreMovedException;
import io.aktis.runtime.port.StorePort;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The store of a driver whose nodes go. */
final class HomeStoreTest {
  private static final ObjectId ID = new ObjectId(7, 1);

  private final HomeStore.Home first = home(1, new Store(true));
  private final HomeStore.Home second = home(2, new Store(false));
  private final HomeStore homes = new HomeStore(first);

  private static HomeStore.Home home(int number, StorePort store) {
    NodeId node = new NodeId(1, number);
    return new HomeStore.Home(new Location(node, "10.0.0." + number + ":6380"), store, null);
  }

  /** A store that takes what it is given, until its node is gone. */
  private static final class Store implements StorePort {
    private final boolean gone;
    private final AtomicInteger sealed = new AtomicInteger();

    Store(boolean gone) {
      this.gone = gone;
    }

    private void check() {
      if (gone) {
        throw new IllegalStateException("the connection is lost");
      }
    }

    @Override
    public Writing tryCreate(ObjectId id, long sizeBytes) {
      return new Writing() {
        @Override
        public MemorySegment segment() {
          return MemorySegment.NULL;
        }

        @Override
        public void seal() {
          check();
          sealed.incrementAndGet();
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public Writing create(ObjectId id, long sizeBytes) {
      return tryCreate(id, sizeBytes);
    }

    @Override
    public @Nullable Reading pin(ObjectId id, Location at) {
      check();
      return null;
    }
  }

  @Test
  void seal_whileTheHomeMoves_isToBeDoneAnew() {
    StorePort.Writing writing = homes.storeAt(first.at()).tryCreate(ID, 8);
    homes.moveTo(second);

    assertThatThrownBy(writing::seal).isInstanceOf(StoreMovedException.class);

    assertThat(homes.at()).isEqualTo(second.at());
    homes.storeAt(homes.at()).tryCreate(ID, 8).seal();
    assertThat(((Store) second.store()).sealed).hasValue(1);
  }

  @Test
  void place_thatWasChosenBeforeTheMove_isRefused() {
    homes.moveTo(second);

    assertThatThrownBy(() -> homes.storeAt(first.at())).isInstanceOf(StoreMovedException.class);
  }

  @Test
  void read_whileTheHomeMoves_isDoneAtTheNext() {
    homes.lose("node 1 is gone: its disk burns");
    assertThat(homes.isLost()).isTrue();
    Thread.startVirtualThread(() -> homes.moveTo(second));

    assertThat(homes.pin(ID, first.at())).isNull();

    assertThat(homes.isLost()).isFalse();
  }

  @Test
  void read_whenNoHomeIsLeft_saysWhy() {
    HomeStore brief = new HomeStore(first, 1);
    brief.lose("node 1 is gone: its disk burns");

    assertThatThrownBy(() -> brief.pin(ID, first.at()))
        .isInstanceOf(NodeDiedException.class)
        .hasMessageContaining("its disk burns");
  }

  @Test
  void failure_ofAHomeThatIsThere_isToldAsItIs() {
    HomeStore brief = new HomeStore(first, 1);
    assertThatThrownBy(() -> brief.pin(ID, first.at()))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("the connection is lost");
  }
}
