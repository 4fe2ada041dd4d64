package io.aktis.cli;

import io.aktis.cluster.code.MainMethod;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** Makes a program from a jar with a Main-Class. */
final class JarProgram {
  private JarProgram() {}

  /**
   * Loads a program from a jar and what its Class-Path names.
   *
   * @param jars what comes before it
   * @param chosen the main class; null for the one that the manifest names
   */
  static Program open(Path file, List<Path> jars, @Nullable String chosen) {
    String name = file.getFileName().toString();
    String named = mainClassOf(file, chosen == null);
    String mainClass = chosen != null ? chosen : named;
    String title = (chosen != null ? "the class " : "the Main-Class ") + mainClass + " of " + file;
    ClassLoader loader = loaderOf(name, with(jars, file));
    try {
      MainMethod main =
          MainMethod.of(loader.loadClass(mainClass))
              .orElseThrow(() -> CommandFailure.notStarted(title + " has no main method", ""));
      return new Program(name, loader, main);
    } catch (ClassNotFoundException | LinkageError e) {
      throw CommandFailure.notStarted(
          title + " cannot be loaded: " + e,
          "jars it needs are named by the Class-Path of its manifest");
    }
  }

  /** Reads the manifest in any case, which shows whether it is a jar. */
  private static String mainClassOf(Path file, boolean isNeeded) {
    String mainClass = null;
    try (JarFile jar = new JarFile(file.toFile())) {
      Manifest manifest = jar.getManifest();
      if (manifest != null) {
        mainClass = manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
      }
    } catch (IOException e) {
      throw CommandFailure.notStarted(file + " is not a jar: " + e.getMessage(), "");
    }
    return isNeeded ? requireMainClass(file, mainClass) : "";
  }

  private static String requireMainClass(Path file, @Nullable String mainClass) {
    if (mainClass == null || mainClass.isBlank()) {
      throw CommandFailure.notStarted(
          file + " does not say what to run: its manifest has no Main-Class",
          "jar --update --file " + file + " --main-class com.example.Main adds it");
    }
    return mainClass.strip();
  }

  private static List<Path> with(List<Path> jars, Path file) {
    List<Path> all = new ArrayList<>(jars);
    all.add(file);
    return all;
  }

  /** Makes the loader of a program, below that of this command. */
  static URLClassLoader loaderOf(String name, List<Path> files) {
    return new URLClassLoader(
        name,
        files.stream().map(JarProgram::urlOf).toArray(URL[]::new),
        Program.class.getClassLoader());
  }

  private static URL urlOf(Path file) {
    try {
      return file.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }
}
