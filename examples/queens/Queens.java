import io.aktis.Aktis;
import io.aktis.ObjectRef;
import java.util.ArrayList;
import java.util.List;

/** Counts the ways to place n queens that do not attack each other: tasks that submit tasks. */
final class Queens {
  private static final int ROWS_AS_TASKS = 3;
  private static final long[] KNOWN = {
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2_680, 14_200, 73_712
  };

  /** A board with queens in the first rows; the bits say which squares of the next are attacked. */
  record Board(int size, int row, int columns, int left, int right) {
    /** Returns the boards with one more queen. */
    List<Board> next() {
      List<Board> boards = new ArrayList<>();
      int free = ~(columns | left | right) & ((1 << size) - 1);
      while (free != 0) {
        int queen = Integer.lowestOneBit(free);
        boards.add(
            new Board(size, row + 1, columns | queen, (left | queen) << 1, (right | queen) >> 1));
        free -= queen;
      }
      return boards;
    }
  }

  static void main(String[] args) {
    int size = args.length > 0 ? Integer.parseInt(args[0]) : 11;

    try (var _ = Aktis.init()) {
      long ways = Aktis.task(Queens::ways, new Board(size, 0, 0, 0, 0)).remote().get();
      IO.println("%,d ways to place %d queens".formatted(ways, size));
      if (size < KNOWN.length && ways != KNOWN[size]) {
        throw new AssertionError("there are " + KNOWN[size]);
      }
    }
  }

  /** Submits a task for each queen in the first rows, waits for them, and adds up. */
  static long ways(Board board) {
    if (board.row() == ROWS_AS_TASKS || board.row() == board.size()) {
      return waysAlone(board);
    }
    List<ObjectRef<Long>> parts = new ArrayList<>();
    for (Board next : board.next()) {
      parts.add(Aktis.task(Queens::ways, next).remote());
    }
    return Aktis.get(parts).stream().mapToLong(part -> part).sum();
  }

  private static long waysAlone(Board board) {
    if (board.row() == board.size()) {
      return 1;
    }
    long ways = 0;
    for (Board next : board.next()) {
      ways += waysAlone(next);
    }
    return ways;
  }
}
