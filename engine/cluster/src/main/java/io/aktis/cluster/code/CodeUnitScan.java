package io.aktis.cluster.code;

import com.google.protobuf.ByteString;
import io.aktis.cluster.code.PackedJar.Content;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodeUnit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The code of a program as it can be sent: the files of its class path, in order, named by the
 * hashes of their bytes. Made by the driver when it opens a session, and closed with it.
 *
 * <p>Jars stay where they are and are read when they are sent; directories, and classes in memory,
 * are packed into jars at once. Left out is what is missing, as Java does, and artifacts that hold
 * nothing but the engine, which every worker has.
 *
 * <p>Thread-safe.
 */
public final class CodeUnitScan implements AutoCloseable {
  private static final int THREADS = 2;

  private final Arena arena = Arena.ofShared();
  private final Map<ByteString, UnitFile> files = new LinkedHashMap<>();

  private final AtomicBoolean closed = new AtomicBoolean();

  private CodeUnitScan() {}

  /**
   * Scans the class path of this JVM, and what loaders add to it: URLs of files of {@link
   * java.net.URLClassLoader}s, and {@link InMemoryCode}. What other loaders have cannot be sent,
   * and a warning is logged.
   *
   * @param program the loader of the program; those above it are looked at too
   * @throws IOException when something cannot be read or is too large; the message names it
   */
  public static CodeUnitScan ofProgram(ClassLoader program) throws IOException {
    return of(ClassPath.of(program));
  }

  /** Scans the class path of the program that calls, by the thread's context class loader. */
  public static CodeUnitScan ofThisProgram() throws IOException {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return ofProgram(context != null ? context : ClassLoader.getSystemClassLoader());
  }

  /**
   * Scans a class path of jars and directories.
   *
   * @throws IOException when something cannot be read or is too large; the message names it
   */
  public static CodeUnitScan ofClassPath(List<Path> entries) throws IOException {
    return of(ClassPath.of(entries));
  }

  /**
   * Scans a class path behind what others have scanned, which stay open as long as this one.
   *
   * @throws IOException when something cannot be read or is too large; the message names it
   */
  public static CodeUnitScan ofClassPath(List<CodeUnitScan> before, List<Path> entries)
      throws IOException {
    return of(before, ClassPath.of(entries));
  }

  /**
   * Scans classes in memory behind what others have scanned, which stay open as long as this one.
   *
   * @throws IOException when they cannot be packed
   */
  public static CodeUnitScan ofMemory(List<CodeUnitScan> before, InMemoryCode code)
      throws IOException {
    return of(before, List.of(new PathEntry.Memory(code)));
  }

  /** Reads a file that is no jar: a resource with its name. */
  static CodeUnitScan ofResource(Path file) throws IOException {
    return of(List.of(new PathEntry.Resource(file)));
  }

  /** Reads a working directory, or takes its archive. */
  static CodeUnitScan ofWorkingDirectory(Path place) throws IOException {
    return of(List.of(new PathEntry.StartIn(place)));
  }

  private static CodeUnitScan of(List<PathEntry> entries) throws IOException {
    return of(List.of(), entries);
  }

  private static CodeUnitScan of(List<CodeUnitScan> before, List<PathEntry> entries)
      throws IOException {
    CodeUnitScan scan = new CodeUnitScan();
    before.forEach(other -> scan.files.putAll(other.files));
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<@Nullable UnitFile>> found = new ArrayList<>();
      for (PathEntry entry : entries) {
        found.add(threads.submit(() -> scan.read(entry)));
      }
      for (Future<@Nullable UnitFile> each : found) {
        UnitFile file = each.get();
        if (file != null) {
          scan.files.putIfAbsent(file.described().getSha256(), file);
        }
      }
      return scan;
    } catch (ExecutionException e) {
      scan.close();
      throw asIoException(e.getCause());
    } catch (InterruptedException e) {
      scan.close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the class path was read");
    }
  }

  private static IOException asIoException(@Nullable Throwable cause) {
    return switch (cause) {
      case IOException e -> e;
      case Error e -> throw e;
      case null, default -> new IOException("cannot read the class path: " + cause, cause);
    };
  }

  /** Returns nothing for what need not travel. */
  private @Nullable UnitFile read(PathEntry entry) throws IOException {
    return switch (entry) {
      case PathEntry.Jar(Path file) -> readJar(file);
      case PathEntry.Directory(Path root) -> pack(titleOf(root), CodeDirectory.list(root));
      case PathEntry.Memory(InMemoryCode code) -> pack("memory", contentsOf(code));
      case PathEntry.Resource(Path file) -> {
        String name = file.getFileName().toString();
        yield pack(name, new TreeMap<>(Map.of(name, () -> Files.newInputStream(file))));
      }
      case PathEntry.StartIn(Path place) -> workingDirectory(place);
    };
  }

  private static @Nullable UnitFile readJar(Path file) throws IOException {
    FileStamp stamp = FileStamp.of(file);
    return JarFacts.of(file, stamp).isEngine() ? null : onDisk(file, stamp);
  }

  private UnitFile workingDirectory(Path place) throws IOException {
    if (!Files.isDirectory(place)) {
      return onDisk(place, FileStamp.of(place));
    }
    SortedMap<String, Content> contents = WorkingDirectory.list(place);
    try {
      return PackedJar.of(titleOf(place), WorkingDirectory.COMMENT, contents, arena);
    } catch (IOException e) {
      throw new IOException("the working directory " + place + " cannot be packed: " + e, e);
    }
  }

  private static UnitFile onDisk(Path file, FileStamp stamp) throws IOException {
    CodeFile described =
        CodeFile.newBuilder()
            .setName(file.getFileName().toString())
            .setSha256(Sha256.of(file, stamp))
            .setSizeBytes(stamp.sizeBytes())
            .build();
    return new UnitFile.OnDisk(described, file, stamp);
  }

  private @Nullable UnitFile pack(String name, SortedMap<String, Content> contents)
      throws IOException {
    if (contents.isEmpty() || EngineCode.isArtifact(contents.keySet())) {
      return null;
    }
    try {
      return PackedJar.of(name, contents, arena);
    } catch (CodeException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("cannot pack " + name + " of the class path: " + e, e);
    }
  }

  private static SortedMap<String, Content> contentsOf(InMemoryCode code) {
    SortedMap<String, Content> contents = new TreeMap<>();
    code.files()
        .forEach((name, bytes) -> contents.put(name, () -> new ByteArrayInputStream(bytes)));
    return contents;
  }

  /** The last two names of a path tell {@code app/classes} from {@code lib/classes}. */
  private static String titleOf(Path root) {
    Path plain = root.normalize();
    int count = plain.getNameCount();
    return count == 0 ? "root" : plain.subpath(Math.max(0, count - 2), count) + "/";
  }

  /** Returns the files in the order in which classes are looked for. */
  public CodeUnit unit() {
    CodeUnit.Builder unit = CodeUnit.newBuilder();
    files.values().forEach(file -> unit.addFiles(file.described()));
    return unit.build();
  }

  /**
   * Opens the bytes of a file of the unit.
   *
   * @throws CodeException when the file has changed since the scan
   * @throws IllegalArgumentException when it is not of this unit
   */
  public InputStream open(CodeFile file) throws IOException {
    UnitFile known = files.get(file.getSha256());
    if (known == null) {
      throw new IllegalArgumentException(Sha256.title(file) + " is not a file of this unit");
    }
    return known.open();
  }

  /** Lets packed jars go; streams of them fail from now on. Idempotent. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      arena.close();
    }
  }
}
