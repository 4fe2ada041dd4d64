package io.aktis.wire.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value as bytes.
 *
 * <p>Made by {@link ValueCodec#encode}, it is <em>fresh</em>: large arrays and buffers of the value
 * are borrowed, not copied. Write it with {@link #writeTo} or {@link #toBytes} before the owner of
 * the value can go on and change them, and in the thread that encoded. Opened from bytes, it is
 * <em>sealed</em>: the bytes never change, and buffers are decoded to views on them, so they must
 * stay mapped as long as a view is reachable; {@link #hasViews} tells whether there will be any.
 *
 * <p>The bytes, little-endian; a value starts at a multiple of 64 in memory that is to be shared:
 *
 * <table>
 *   <caption>Layout, version 1; h handles, b buffers, n bytes in band</caption>
 *   <tr><th>offset</th><th>size</th><th>what</th></tr>
 *   <tr><td>0</td><td>2</td><td>magic, 'A' 'V'</td></tr>
 *   <tr><td>2</td><td>1</td><td>version, 1</td></tr>
 *   <tr><td>3</td><td>1</td><td>tag, see {@link ValueTag}</td></tr>
 *   <tr><td>4</td><td>1</td><td>flags; bit 0: some buffers are decoded to views</td></tr>
 *   <tr><td>5</td><td>1</td><td>detail, defined by the tag</td></tr>
 *   <tr><td>6</td><td>2</td><td>zero</td></tr>
 *   <tr><td>8</td><td>4</td><td>h</td></tr>
 *   <tr><td>12</td><td>4</td><td>b</td></tr>
 *   <tr><td>16</td><td>8</td><td>n</td></tr>
 *   <tr><td>24</td><td>16 b</td><td>for each buffer its offset and its length, 8 bytes each</td></tr>
 *   <tr><td>24 + 16 b</td><td>n</td><td>bytes in band: the payload, unless a buffer is</td></tr>
 *   <tr><td>next</td><td>17 h</td><td>for each handle its kind (1), high (8) and low (8) half</td></tr>
 *   <tr><td>multiples of 64</td><td></td><td>the buffers; zeros between them</td></tr>
 * </table>
 *
 * <p>The payload of arrays, buffers and segments from 1 KiB on is buffer 0, and nothing is in band;
 * smaller ones are in band. The payload of an Arrow table is always buffer 0.
 *
 * <p>Immutable, save that a fresh one shares the memory it borrows.
 */
public final class Encoded {
  /** Where a buffer starts is a multiple of this. */
  public static final int BUFFER_ALIGNMENT = 64;

  /** From this size on, arrays and buffers are kept out of band. */
  static final int BUFFER_MIN_BYTES = 1024;

  static final int HEADER_BYTES = 24;
  private static final int BUFFER_ENTRY_BYTES = 16;
  private static final int HANDLE_ENTRY_BYTES = 17;
  private static final short MAGIC = 'A' | 'V' << 8;
  private static final byte VERSION = 1;
  private static final int FLAG_VIEWS = 1;

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);

  static {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new UnsupportedOperationException("only little-endian machines are supported");
    }
  }

  private final ValueTag tag;
  private final byte detail;
  private final boolean views;
  private final boolean sealed;

  /**
   * Holds the bytes in band, if they lie in an array: a segment for each of a million small values
   * would take more memory than the values.
   */
  private final byte @Nullable [] inBandArray;

  private final int inBandStart;
  private final int inBandLength;

  /** The bytes in band if they do not lie in an array. */
  private final @Nullable MemorySegment inBandMemory;

  private final List<Pieces> buffers;
  private final List<HandleId> handleIds;
  private final List<Object> exported;

  private Encoded(Builder parts, boolean sealed) {
    this.tag = parts.tag;
    this.detail = parts.detail;
    this.views = parts.views;
    this.sealed = sealed;
    this.inBandArray = parts.inBandArray;
    this.inBandStart = parts.inBandStart;
    this.inBandLength = parts.inBandLength;
    this.inBandMemory = parts.inBandMemory;
    this.buffers = parts.buffers;
    this.handleIds = parts.handleIds;
    this.exported = parts.exported;
  }

  /** Returns what the payload is. */
  public ValueTag tag() {
    return tag;
  }

  /** Returns how many bytes {@link #writeTo} writes. */
  public long sizeBytes() {
    long end = handlesEnd();
    for (Pieces buffer : buffers) {
      end = aligned(end) + buffer.sizeBytes();
    }
    return end;
  }

  /** Returns whether decoding gives views on the memory this was opened from. */
  public boolean hasViews() {
    return views;
  }

  /** Returns what the handles inside the value name, each once, in the order they are met. */
  public List<HandleId> handleIds() {
    return handleIds;
  }

  /**
   * Returns the tokens that {@link HandleHooks#export} gave for {@link #handleIds()}, in the same
   * order; empty if this was opened from bytes.
   */
  public List<Object> exported() {
    return exported;
  }

  /**
   * Returns this value without borrowed memory: itself when it borrows none, else a copy that keeps
   * the tokens.
   */
  public Encoded detached() {
    return sealed || buffers.isEmpty() ? this : open(toBytes()).withExported(exported);
  }

  /**
   * Opens a sealed segment whose handles this process exported itself.
   *
   * @param exported the tokens that {@link #exported()} gave when the value was encoded
   * @throws ValueDecodeException if it does not hold the bytes of a value
   */
  public static Encoded reopen(MemorySegment memory, List<Object> exported) {
    return open(memory).withExported(exported);
  }

  private Encoded withExported(List<Object> tokens) {
    if (tokens.isEmpty()) {
      return this;
    }
    Builder parts = new Builder(tag);
    parts.detail = detail;
    parts.views = views;
    parts.inBandArray = inBandArray;
    parts.inBandStart = inBandStart;
    parts.inBandLength = inBandLength;
    parts.inBandMemory = inBandMemory;
    parts.buffers = buffers;
    parts.handleIds = handleIds;
    parts.exported = tokens;
    return new Encoded(parts, sealed);
  }

  /**
   * Returns this value in an array that will not change: itself when it lies in one, else a copy
   * that keeps the tokens.
   */
  public Encoded inArray() {
    return sealed && inBandArray != null ? this : open(toBytes()).withExported(exported);
  }

  /** Returns the bytes: not a copy when this lies in an array, so they must not be changed. */
  public byte[] bytes() {
    return sealed && inBandArray != null ? inBandArray : toBytes();
  }

  /** Returns this value with tokens for {@link #handleIds()}, in the same order. */
  public Encoded withTokens(List<Object> tokens) {
    return withExported(tokens);
  }

  /** Returns the bytes in an array of their own. */
  public byte[] toBytes() {
    byte[] bytes = new byte[Math.toIntExact(sizeBytes())];
    writeTo(MemorySegment.ofArray(bytes));
    return bytes;
  }

  /** Writes {@link #sizeBytes()} bytes to the start of {@code target}: the one copy there is. */
  public void writeTo(MemorySegment target) {
    target.set(SHORT, 0, MAGIC);
    target.set(BYTE, 2, VERSION);
    target.set(BYTE, 3, tag.code());
    target.set(BYTE, 4, (byte) (views ? FLAG_VIEWS : 0));
    target.set(BYTE, 5, detail);
    target.set(SHORT, 6, (short) 0);
    target.set(INT, 8, handleIds.size());
    target.set(INT, 12, buffers.size());
    target.set(LONG, 16, inBandBytes());
    long at = HEADER_BYTES + (long) BUFFER_ENTRY_BYTES * buffers.size();
    writeInBand(target, at);
    writeHandles(target, at + inBandBytes());
    writeBuffers(target);
  }

  private void writeInBand(MemorySegment target, long start) {
    if (inBandArray != null) {
      MemorySegment.copy(inBandArray, inBandStart, target, BYTE, start, inBandLength);
    } else if (inBandMemory != null) {
      Memory.copy(inBandMemory, target, start);
    }
  }

  private void writeHandles(MemorySegment target, long start) {
    long at = start;
    for (HandleId id : handleIds) {
      target.set(BYTE, at, id.kind());
      target.set(LONG, at + 1, id.high());
      target.set(LONG, at + 9, id.low());
      at += HANDLE_ENTRY_BYTES;
    }
  }

  private void writeBuffers(MemorySegment target) {
    long entry = HEADER_BYTES;
    long end = handlesEnd();
    for (Pieces buffer : buffers) {
      long start = aligned(end);
      target.asSlice(end, start - end).fill((byte) 0);
      buffer.copyTo(target, start);
      target.set(LONG, entry, start);
      target.set(LONG, entry + 8, buffer.sizeBytes());
      end = start + buffer.sizeBytes();
      entry += BUFFER_ENTRY_BYTES;
    }
  }

  private long handlesEnd() {
    return HEADER_BYTES
        + (long) BUFFER_ENTRY_BYTES * buffers.size()
        + inBandBytes()
        + (long) HANDLE_ENTRY_BYTES * handleIds.size();
  }

  private static long aligned(long offset) {
    return offset + BUFFER_ALIGNMENT - 1 & -BUFFER_ALIGNMENT;
  }

  /**
   * Opens bytes that will not change, such as those of a message.
   *
   * @throws ValueDecodeException if they are not the bytes of a value
   */
  public static Encoded open(byte[] bytes) {
    return open(MemorySegment.ofArray(bytes), bytes);
  }

  /**
   * Opens a sealed segment; bytes after those of the value are ignored.
   *
   * @throws ValueDecodeException if it does not hold the bytes of a value
   */
  public static Encoded open(MemorySegment memory) {
    return open(memory, null);
  }

  private static Encoded open(MemorySegment memory, byte @Nullable [] array) {
    MemorySegment sealed = memory.asReadOnly();
    if (sealed.byteSize() < HEADER_BYTES || sealed.get(SHORT, 0) != MAGIC) {
      throw new ValueDecodeException("not the bytes of a value", null);
    }
    if (sealed.get(BYTE, 2) != VERSION) {
      throw new ValueDecodeException(
          "bytes of version " + sealed.get(BYTE, 2) + ", this is version " + VERSION, null);
    }
    try {
      Builder parts = new Builder(ValueTag.of(sealed.get(BYTE, 3)));
      parts.views = (sealed.get(BYTE, 4) & FLAG_VIEWS) != 0;
      parts.detail = sealed.get(BYTE, 5);
      long start = HEADER_BYTES + (long) BUFFER_ENTRY_BYTES * sealed.get(INT, 12);
      long length = sealed.get(LONG, 16);
      MemorySegment inBand = sealed.asSlice(start, length); // finds out if it is cut off
      if (array != null) {
        parts.inBandArray = array;
        parts.inBandStart = (int) start;
        parts.inBandLength = (int) length;
      } else {
        parts.inBandMemory = inBand;
      }
      parts.handleIds = readHandles(sealed, start + length);
      parts.buffers = readBuffers(sealed);
      return new Encoded(parts, true);
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw new ValueDecodeException("the bytes of a value are cut off or damaged", e);
    }
  }

  private static List<HandleId> readHandles(MemorySegment sealed, long start) {
    int count = sealed.get(INT, 8);
    if (count == 0) {
      return List.of();
    }
    MemorySegment table = sealed.asSlice(start, (long) HANDLE_ENTRY_BYTES * count);
    HandleId[] ids = new HandleId[count];
    long at = 0;
    for (int i = 0; i < count; i++) {
      ids[i] = new HandleId(table.get(BYTE, at), table.get(LONG, at + 1), table.get(LONG, at + 9));
      at += HANDLE_ENTRY_BYTES;
    }
    return List.of(ids);
  }

  private static List<Pieces> readBuffers(MemorySegment sealed) {
    int count = sealed.get(INT, 12);
    if (count == 0) {
      return List.of();
    }
    Pieces[] found = new Pieces[count];
    long entry = HEADER_BYTES;
    for (int i = 0; i < count; i++) {
      found[i] = Pieces.of(sealed.asSlice(sealed.get(LONG, entry), sealed.get(LONG, entry + 8)));
      entry += BUFFER_ENTRY_BYTES;
    }
    return List.of(found);
  }

  byte detail() {
    return detail;
  }

  boolean isSealed() {
    return sealed;
  }

  /** Returns how many bytes are in band. */
  long inBandBytes() {
    if (inBandArray != null) {
      return inBandLength;
    }
    return inBandMemory == null ? 0 : inBandMemory.byteSize();
  }

  /** Returns the bytes in band; nobody can change them through it if this is sealed. */
  MemorySegment inBand() {
    if (inBandArray != null) {
      MemorySegment bytes = MemorySegment.ofArray(inBandArray).asSlice(inBandStart, inBandLength);
      return sealed ? bytes.asReadOnly() : bytes;
    }
    return inBandMemory == null ? EMPTY : inBandMemory;
  }

  /** Returns an array that holds the bytes in band from {@link #inBandStart()} on. */
  byte[] inBandArray() {
    return inBandArray != null ? inBandArray : inBand().toArray(BYTE);
  }

  int inBandStart() {
    return inBandArray != null ? inBandStart : 0;
  }

  List<Pieces> buffers() {
    return buffers;
  }

  /** Returns the payload of an array, a buffer, a segment or an Arrow table. */
  MemorySegment payload() {
    return buffers.isEmpty() ? inBand() : buffers.getFirst().memory();
  }

  /** The parts of an {@link Encoded} while it is put together. */
  static final class Builder {
    private final ValueTag tag;
    byte detail;
    boolean views;
    List<HandleId> handleIds = List.of();
    List<Object> exported = List.of();
    List<Pieces> buffers = List.of();
    private byte @Nullable [] inBandArray;
    private int inBandStart;
    private int inBandLength;
    private @Nullable MemorySegment inBandMemory;

    Builder(ValueTag tag) {
      this.tag = tag;
    }

    Builder inBand(byte[] bytes) {
      return inBand(bytes, bytes.length);
    }

    Builder inBand(byte[] array, int length) {
      inBandArray = array;
      inBandLength = length;
      return this;
    }

    /** Takes memory as the payload: a copy in band if it is small, else a borrowed buffer. */
    Builder payload(MemorySegment memory) {
      if (memory.byteSize() < BUFFER_MIN_BYTES) {
        return inBand(memory.toArray(BYTE));
      }
      buffers = List.of(Pieces.of(memory));
      return this;
    }

    Encoded build() {
      return new Encoded(this, false);
    }
  }
}
