package io.aktis.cluster.code;

import java.io.File;
import java.io.IOException;
import java.lang.module.ResolvedModule;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what the class path of a program is made of, in the order in which Java looks. */
final class ClassPath {
  private static final Logger LOG = LoggerFactory.getLogger(ClassPath.class);

  private final Set<PathEntry> entries = new LinkedHashSet<>();

  private ClassPath() {}

  /** Returns the class path of this JVM, without what loaders of programs add. */
  static List<PathEntry> ofJvm() throws IOException {
    ClassPath path = new ClassPath();
    path.addJvm();
    return List.copyOf(path.entries);
  }

  /** Returns the class path of this JVM, followed by what the loader and those above it add. */
  static List<PathEntry> of(ClassLoader program) throws IOException {
    ClassPath path = new ClassPath();
    path.addJvm();
    Deque<ClassLoader> chain = new ArrayDeque<>();
    for (ClassLoader next = program; isOfProgram(next); next = next.getParent()) {
      chain.push(next);
    }
    for (ClassLoader loader : chain) {
      path.addLoader(loader);
    }
    return List.copyOf(path.entries);
  }

  /** Returns these entries, and what manifests add to them. */
  static List<PathEntry> of(List<Path> entries) throws IOException {
    ClassPath path = new ClassPath();
    for (Path entry : entries) {
      path.add(PathEntry.of(entry));
    }
    return List.copyOf(path.entries);
  }

  private static boolean isOfProgram(@Nullable ClassLoader loader) {
    return loader != null
        && !loader.equals(ClassLoader.getSystemClassLoader())
        && !loader.equals(ClassLoader.getPlatformClassLoader());
  }

  private void addJvm() throws IOException {
    for (String name : jvmClassPath()) {
      try {
        add(PathEntry.of(Path.of(name)));
      } catch (InvalidPathException e) {
        LOG.debug("the class path has an entry that is no path: {}", name, e);
      }
    }
    for (ResolvedModule module : ModuleLayer.boot().configuration().modules()) {
      URI location = module.reference().location().orElse(null);
      if (location != null && "file".equals(location.getScheme())) {
        add(PathEntry.of(Path.of(location)));
      }
    }
  }

  /** An empty name is the current directory; so is no class path at all, if no module was run. */
  private static List<String> jvmClassPath() {
    String value = System.getProperty("java.class.path", "");
    boolean hasNone = value.isEmpty() && System.getProperty("jdk.module.main") != null;
    return hasNone ? List.of() : List.of(value.split(File.pathSeparator, -1));
  }

  private void addLoader(ClassLoader loader) throws IOException {
    boolean known = false;
    if (loader instanceof InMemoryCode code) {
      entries.add(new PathEntry.Memory(code));
      known = true;
    }
    if (loader instanceof UnitClassLoader unit) {
      for (Path file : unit.files()) {
        add(PathEntry.of(file));
      }
      known = true;
    }
    if (loader instanceof URLClassLoader urls) {
      for (URL url : urls.getURLs()) {
        addUrl(loader, url);
      }
      known = true;
    }
    if (!known) {
      LOG.warn(
          "classes of the loader {} cannot be sent to nodes: it is neither a URLClassLoader nor an"
              + " InMemoryCode",
          loader);
    }
  }

  private void addUrl(ClassLoader loader, URL url) throws IOException {
    if (url.getProtocol().equals("file")) {
      add(PathEntry.of(url));
    } else {
      LOG.warn("{} of the loader {} cannot be sent to nodes: it is not a file", url, loader);
    }
  }

  /** Adds an entry and, right after it, what its manifest names, as Java does. */
  private void add(@Nullable PathEntry entry) throws IOException {
    if (entry == null || entries.contains(entry)) {
      return;
    }
    if (!(entry instanceof PathEntry.Jar(Path file))) {
      entries.add(entry);
      return;
    }
    JarFacts facts = JarFacts.of(file, FileStamp.of(file));
    if (facts.isJar()) {
      entries.add(entry);
      for (PathEntry next : named(file, facts.classPath())) {
        add(next);
      }
    }
  }

  private static List<PathEntry> named(Path jar, List<String> names) {
    List<PathEntry> named = new ArrayList<>();
    for (String name : names) {
      try {
        PathEntry entry = PathEntry.of(jar.toUri().resolve(name).toURL());
        if (entry != null) {
          named.add(entry);
        }
      } catch (IllegalArgumentException | MalformedURLException e) {
        LOG.debug("the manifest of {} names {}, which is no URL", jar, name, e);
      }
    }
    return named;
  }
}
