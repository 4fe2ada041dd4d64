package io.aktis.runtime.session;

import io.aktis.ObjectRef;
import io.aktis.WaitResult;
import java.io.Serializable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a wait has left over, in the order of its input. It knows which of them were ready already,
 * so that a loop that waits for one at a time looks at all of them only now and then: the steps in
 * between cost the same however many there are. Those that were taken are not held on to.
 *
 * <p>Otherwise a list as any other, which its user may change; a copy of its own from then on. As
 * thread-safe as that.
 *
 * @param <T> type of the values
 */
final class Unready<T> extends AbstractList<ObjectRef<T>> implements RandomAccess, Serializable {
  private static final long serialVersionUID = 1L;

  /** One that is ready, its position in the input, and the next such. */
  private record Ready<T>(int position, ObjectRef<T> ref, @Nullable Ready<T> next) {}

  private final transient List<ObjectRef<T>> rest;
  private final transient int[] positions;
  private final transient @Nullable Ready<T> ready;
  private final transient int readyCount;
  private transient @Nullable List<ObjectRef<T>> own;

  private Unready(
      List<ObjectRef<T>> rest, int[] positions, @Nullable Ready<T> ready, int readyCount) {
    this.rest = rest;
    this.positions = positions;
    this.ready = ready;
    this.readyCount = readyCount;
  }

  /**
   * Splits references.
   *
   * @param count how many that are ready are to be taken, at most
   * @param isReady asked once for each
   */
  static <T> WaitResult<T> split(
      List<ObjectRef<T>> refs, int count, Predicate<ObjectRef<T>> isReady) {
    List<ObjectRef<T>> taken = new ArrayList<>(count);
    List<ObjectRef<T>> rest = new ArrayList<>(refs.size());
    int[] positions = new int[refs.size()];
    List<Ready<T>> more = new ArrayList<>();
    int position = 0;
    for (ObjectRef<T> ref : refs) {
      if (!isReady.test(ref)) {
        positions[rest.size()] = position;
        rest.add(ref);
      } else if (taken.size() < count) {
        taken.add(ref);
      } else {
        more.add(new Ready<>(position, ref, null));
      }
      position++;
    }
    Ready<T> chain = null;
    for (Ready<T> one : more.reversed()) {
      chain = new Ready<>(one.position, one.ref, chain);
    }
    return new WaitResult<>(taken, new Unready<>(rest, positions, chain, more.size()));
  }

  /**
   * Takes some that were ready when this was made.
   *
   * @param isReady tells whether one still is
   * @return {@code null} when there are not as many
   */
  @Nullable WaitResult<T> take(int count, Predicate<ObjectRef<T>> isReady) {
    if (own != null || count > readyCount) {
      return null;
    }
    List<ObjectRef<T>> taken = new ArrayList<>(count);
    Ready<T> next = ready;
    while (taken.size() < count && next != null) {
      if (!isReady.test(next.ref)) {
        return null;
      }
      taken.add(next.ref);
      next = next.next;
    }
    return new WaitResult<>(taken, new Unready<>(rest, positions, next, readyCount - count));
  }

  private List<ObjectRef<T>> own() {
    List<ObjectRef<T>> all = own;
    if (all == null) {
      all = new ArrayList<>(size());
      Ready<T> next = ready;
      for (int i = 0; i < rest.size(); i++) {
        for (; next != null && next.position < positions[i]; next = next.next) {
          all.add(next.ref);
        }
        all.add(rest.get(i));
      }
      for (; next != null; next = next.next) {
        all.add(next.ref);
      }
      own = all;
    }
    return all;
  }

  // ---- a list ---------------------------------------------------------------------------------

  @Override
  public int size() {
    List<ObjectRef<T>> all = own;
    return all == null ? rest.size() + readyCount : all.size();
  }

  @Override
  public ObjectRef<T> get(int index) {
    return own().get(index);
  }

  @Override
  public ObjectRef<T> set(int index, ObjectRef<T> ref) {
    return own().set(index, ref);
  }

  @Override
  public void add(int index, ObjectRef<T> ref) {
    own().add(index, ref);
    modCount++;
  }

  @Override
  public ObjectRef<T> remove(int index) {
    ObjectRef<T> removed = own().remove(index);
    modCount++;
    return removed;
  }

  /** Travels as a plain list. */
  private Object writeReplace() {
    return new ArrayList<>(own());
  }
}
