package io.aktis.wire.value;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Defines the classes of the engine that use Apache Arrow beside the Arrow of a program.
 *
 * <p>Arrow belongs to the program: it is loaded by the program's loader, in its version, and the
 * loader of the engine has another one or none. So those few classes are read from the engine, and
 * linked to the Arrow that the parent of this loader has; their interface to the engine is the
 * engine's.
 *
 * <p>Thread-safe and parallel capable.
 */
final class TableLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final String ENGINE = "io.aktis.";
  private static final String DEFINED_HERE = "io.aktis.wire.arrow.";
  private static final String FORM = DEFINED_HERE + "ArrowTables";

  private TableLoader(@Nullable ClassLoader arrow) {
    super("aktis-arrow", arrow);
  }

  /**
   * Makes the form of the tables of one Arrow.
   *
   * @param arrow the loader of its classes
   * @throws LinkageError if they are not what the engine expects
   */
  static TableForm formFor(@Nullable ClassLoader arrow) {
    try {
      return (TableForm)
          new TableLoader(arrow).loadClass(FORM).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("cannot link the engine to Apache Arrow", e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(ENGINE)) {
      return super.loadClass(name, resolve);
    }
    if (!name.startsWith(DEFINED_HERE)) {
      return Class.forName(name, false, TableLoader.class.getClassLoader());
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> type = findLoadedClass(name);
      return type != null ? type : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = "/" + name.replace('.', '/') + ".class";
    try (InputStream in = TableLoader.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name + " is missing in the engine");
      }
      byte[] code = in.readAllBytes();
      return defineClass(name, code, 0, code.length, TableLoader.class.getProtectionDomain());
    } catch (IOException e) {
      throw new ClassNotFoundException(name + " cannot be read", e);
    }
  }
}
