package io.aktis.wire.value;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The description of a failure, its causes and what it suppressed, that any process can read. It
 * starts the payload of {@link ValueTag#THROWABLE}; big-endian, as {@link DataOutputStream} writes:
 *
 * <pre>
 * i32 length of the description, in bytes, not counting these four
 * i32 strings, each i32 length and UTF-8; string 0 is absent and not among them
 * i32 throwables, the first is the failure; each:
 *     i32 class, i32 message, i32 text          strings
 *     i32 cause                                 throwable, -1 for none
 *     i32 suppressed, each i32                  throwables
 *     i32 frames, each:
 *         i32 loader, module, version, class, method, file    strings
 *         i32 line, i8 which parts are not printed, as the JDK has it
 * </pre>
 *
 * <p>After it comes the Java object, or nothing. Cycles are fine: throwables are named by position.
 *
 * <p>Immutable.
 */
final class ThrowableStory {
  private static final int MAX_THROWABLES = 1000;
  private static final int NONE = -1;

  /** What is told of one throwable. */
  private record Node(
      String className,
      @Nullable String message,
      String text,
      int cause,
      List<Integer> suppressed,
      List<StackTraceElement> frames) {}

  private final List<Node> nodes;
  private final IdentityHashMap<Throwable, Integer> positions;
  private final int lengthBytes;

  private ThrowableStory(
      List<Node> nodes, IdentityHashMap<Throwable, Integer> positions, int lengthBytes) {
    this.nodes = nodes;
    this.positions = positions;
    this.lengthBytes = lengthBytes;
  }

  /** Tells of a throwable, whatever its methods do. */
  static ThrowableStory of(Throwable root) {
    IdentityHashMap<Throwable, Integer> positions = new IdentityHashMap<>();
    ArrayList<Throwable> found = new ArrayList<>();
    positionOf(root, positions, found);
    ArrayList<Node> nodes = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      nodes.add(describe(found.get(i), positions, found));
    }
    return new ThrowableStory(nodes, positions, 0);
  }

  private static int positionOf(
      @Nullable Throwable throwable,
      IdentityHashMap<Throwable, Integer> positions,
      List<Throwable> found) {
    if (throwable == null) {
      return NONE;
    }
    Integer known = positions.get(throwable);
    if (known != null) {
      return known;
    }
    if (found.size() == MAX_THROWABLES) {
      return NONE;
    }
    positions.put(throwable, found.size());
    found.add(throwable);
    return found.size() - 1;
  }

  private static Node describe(
      Throwable throwable, IdentityHashMap<Throwable, Integer> positions, List<Throwable> found) {
    String name =
        throwable instanceof RemoteThrowable remote
            ? remote.originalClassName()
            : throwable.getClass().getName();
    String message = ask(throwable::getMessage, null);
    String plain = message == null ? name : name + ": " + message;
    String text = ask(throwable::toString, null);
    int cause = positionOf(ask(throwable::getCause, null), positions, found);
    List<Integer> suppressed =
        Arrays.stream(throwable.getSuppressed())
            .map(each -> positionOf(each, positions, found))
            .filter(position -> position != NONE)
            .toList();
    StackTraceElement[] frames = ask(throwable::getStackTrace, null);
    return new Node(
        name,
        message,
        text == null ? plain : text,
        cause,
        suppressed,
        frames == null ? List.of() : List.of(frames));
  }

  /** Asks a method that a user may have written. */
  private static <T> @Nullable T ask(Supplier<@Nullable T> method, @Nullable T otherwise) {
    try {
      return method.get();
    } catch (Throwable e) {
      return otherwise;
    }
  }

  /** Returns the throwables that are told of, in order; only of a story that was made here. */
  List<Throwable> throwables() {
    Throwable[] inOrder = new Throwable[nodes.size()];
    positions.forEach((throwable, position) -> inOrder[position] = throwable);
    return List.of(inOrder);
  }

  /** Returns the position of a throwable, -1 if it is not told of. */
  int positionOf(Throwable throwable) {
    return positions.getOrDefault(throwable, NONE);
  }

  StackTraceElement[] frames(int position) {
    return nodes.get(position).frames().toArray(StackTraceElement[]::new);
  }

  /** Returns the description of one throwable without its causes, null if it is not told of. */
  @Nullable RemoteThrowable alone(Throwable throwable) {
    int position = positionOf(throwable);
    return position == NONE ? null : unlinked(position);
  }

  private RemoteThrowable unlinked(int position) {
    Node node = nodes.get(position);
    RemoteThrowable made = new RemoteThrowable(node.className(), node.message(), node.text());
    made.setStackTrace(frames(position));
    return made;
  }

  /** Returns the descriptions of all, linked as the originals were; the first is the failure. */
  List<RemoteThrowable> linked() {
    List<RemoteThrowable> made = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      made.add(unlinked(i));
    }
    for (int i = 0; i < made.size(); i++) {
      Node node = nodes.get(i);
      if (node.cause() != NONE && node.cause() != i) {
        made.get(i).initCause(made.get(node.cause()));
      }
      for (int suppressed : node.suppressed()) {
        if (suppressed != i) {
          made.get(i).addSuppressed(made.get(suppressed));
        }
      }
    }
    return made;
  }

  /** Returns how many bytes the description took, with its length; of one that was read. */
  int lengthBytes() {
    return lengthBytes;
  }

  /** Returns the description alone as a value. */
  Encoded encoded() {
    return new Encoded.Builder(ValueTag.THROWABLE).inBand(followedBy(new byte[0], 0)).build();
  }

  /** Returns the bytes of the description, followed by others. */
  byte[] followedBy(byte[] object, int length) {
    Strings strings = new Strings();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    try {
      writeNodes(new DataOutputStream(body), strings);
      byte[] table = strings.toBytes();
      DataOutputStream out = new DataOutputStream(whole);
      out.writeInt(table.length + body.size());
      out.write(table);
      body.writeTo(out);
      out.write(object, 0, length);
      return whole.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writeNodes(DataOutputStream out, Strings strings) throws IOException {
    out.writeInt(nodes.size());
    for (Node node : nodes) {
      out.writeInt(strings.indexOf(node.className()));
      out.writeInt(strings.indexOf(node.message()));
      out.writeInt(strings.indexOf(node.text()));
      out.writeInt(node.cause());
      out.writeInt(node.suppressed().size());
      for (int suppressed : node.suppressed()) {
        out.writeInt(suppressed);
      }
      out.writeInt(node.frames().size());
      for (StackTraceElement frame : node.frames()) {
        for (String part : Frames.parts(frame)) {
          out.writeInt(strings.indexOf(part));
        }
        out.writeInt(frame.getLineNumber());
        out.writeByte(Frames.format(frame));
      }
    }
  }

  /**
   * Reads a description from the start of {@code bytes}.
   *
   * @throws ValueDecodeException if it is damaged
   */
  static ThrowableStory read(byte[] bytes, int start, int length) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, start, length))) {
      int lengthBytes = in.readInt() + Integer.BYTES;
      @Nullable String[] strings = Strings.read(in);
      int count = in.readInt();
      ArrayList<Node> nodes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        nodes.add(readNode(in, strings));
      }
      return new ThrowableStory(nodes, new IdentityHashMap<>(), lengthBytes);
    } catch (IOException | IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw new ValueDecodeException("the description of a failure is damaged", e);
    }
  }

  private static Node readNode(DataInputStream in, @Nullable String[] strings) throws IOException {
    String className = String.valueOf(strings[in.readInt()]);
    String message = strings[in.readInt()];
    String text = String.valueOf(strings[in.readInt()]);
    int cause = in.readInt();
    List<Integer> suppressed = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      suppressed.add(in.readInt());
    }
    List<StackTraceElement> frames = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      @Nullable String[] parts = new String[6];
      for (int part = 0; part < parts.length; part++) {
        parts[part] = strings[in.readInt()];
      }
      int line = in.readInt();
      frames.add(Frames.make(parts, line, in.readByte()));
    }
    return new Node(className, message, text, cause, suppressed, frames);
  }

  /** The strings of a description, each once. */
  private static final class Strings {
    private final HashMap<String, Integer> indexes = new HashMap<>();
    private final ArrayList<String> inOrder = new ArrayList<>();

    int indexOf(@Nullable String string) {
      if (string == null) {
        return 0;
      }
      Integer known = indexes.get(string);
      if (known != null) {
        return known;
      }
      inOrder.add(string);
      indexes.put(string, inOrder.size());
      return inOrder.size();
    }

    byte[] toBytes() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(inOrder.size());
      for (String string : inOrder) {
        byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
      }
      return bytes.toByteArray();
    }

    static @Nullable String[] read(DataInputStream in) throws IOException {
      @Nullable String[] strings = new String[in.readInt() + 1];
      for (int i = 1; i < strings.length; i++) {
        byte[] utf8 = new byte[in.readInt()];
        in.readFully(utf8);
        strings[i] = new String(utf8, StandardCharsets.UTF_8);
      }
      return strings;
    }
  }
}
