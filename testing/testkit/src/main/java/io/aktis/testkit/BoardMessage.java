package io.aktis.testkit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What travels between a {@link SignalServer} and a {@link RemoteSignalBoard}. Immutable. */
sealed interface BoardMessage {
  /** What can be asked of a board: its methods. */
  enum Operation {
    ADD_GATE,
    ARRIVE,
    ARRIVALS,
    AWAIT_OPEN,
    OPEN,
    NOTE,
    NOTES,
    RELEASE_ALL
  }

  /** Writes it; the other side knows which kind comes. */
  void write(DataOutput out) throws IOException;

  /**
   * A question.
   *
   * @param number different for each question of a connection
   * @param id of a gate or of notes
   * @param argument a line, or how many nanoseconds to wait at most
   */
  record Request(long number, Operation operation, String id, String argument)
      implements BoardMessage {
    @Override
    public void write(DataOutput out) throws IOException {
      out.writeLong(number);
      out.writeByte(operation.ordinal());
      writeText(out, id);
      writeText(out, argument);
    }

    static Request read(DataInput in) throws IOException {
      return new Request(
          in.readLong(), Operation.values()[in.readByte()], readText(in), readText(in));
    }
  }

  /**
   * An answer.
   *
   * @param number of the question
   * @param lines what the method returns: nothing, one line, or the lines of notes
   */
  record Reply(long number, List<String> lines) implements BoardMessage {
    @Override
    public void write(DataOutput out) throws IOException {
      out.writeLong(number);
      out.writeInt(lines.size());
      for (String line : lines) {
        writeText(out, line);
      }
    }

    static Reply read(DataInput in) throws IOException {
      long number = in.readLong();
      int count = in.readInt();
      List<String> lines = new ArrayList<>();
      for (int index = 0; index < count; index++) {
        lines.add(readText(in));
      }
      return new Reply(number, lines);
    }
  }

  private static void writeText(DataOutput out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String readText(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
