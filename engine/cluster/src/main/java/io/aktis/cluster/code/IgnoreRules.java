package io.aktis.cluster.code;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * What of a working directory is not sent: {@code .git}, and what the lines of the file {@code
 * .aktisignore} name. Immutable.
 *
 * <ul>
 *   <li>A line is a pattern as of {@link java.nio.file.FileSystem#getPathMatcher glob}; empty ones,
 *       and those that begin with {@code #}, say nothing.
 *   <li>Without a slash, or with one at its end only, it is matched with names at any depth; with
 *       one elsewhere, with paths from the directory on.
 *   <li>With a slash at its end it means directories only. What is in an ignored directory is
 *       ignored.
 * </ul>
 */
final class IgnoreRules {
  static final String FILE = ".aktisignore";

  private static final Rule GIT = new Rule(glob(Path.of(""), ".git"), true, false);

  private final List<Rule> rules;

  private record Rule(PathMatcher matcher, boolean isName, boolean isDirectory) {}

  private IgnoreRules(List<Rule> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * Reads the rules of a directory.
   *
   * @throws CodeException when a line is no pattern; the message names it
   */
  static IgnoreRules of(Path root) throws IOException {
    List<Rule> rules = new ArrayList<>(List.of(GIT));
    Path file = root.resolve(FILE);
    if (Files.isRegularFile(file)) {
      int number = 0;
      for (String line : lines(file)) {
        number++;
        String pattern = line.strip();
        if (!pattern.isEmpty() && !pattern.startsWith("#")) {
          rules.add(rule(root, pattern, file + ":" + number));
        }
      }
    }
    return new IgnoreRules(rules);
  }

  private static List<String> lines(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (MalformedInputException e) {
      throw new CodeException(
          CodeException.Reason.REFUSED, file + " is not a text in UTF-8: " + e.getMessage(), e);
    }
  }

  private static Rule rule(Path root, String line, String where) throws CodeException {
    boolean isDirectory = line.endsWith("/");
    String bare = isDirectory ? line.substring(0, line.length() - 1) : line;
    boolean isName = bare.indexOf('/') < 0;
    String pattern = bare.startsWith("/") ? bare.substring(1) : bare;
    if (pattern.isEmpty() || pattern.startsWith("!")) {
      throw new CodeException(
          CodeException.Reason.REFUSED,
          where
              + ": '"
              + line
              + "' is no pattern of what is to be ignored; nor can '!' bring back");
    }
    try {
      return new Rule(glob(root, pattern), isName, isDirectory);
    } catch (PatternSyntaxException e) {
      throw new CodeException(
          CodeException.Reason.REFUSED,
          where + ": '" + line + "' is no pattern: " + e.getDescription(),
          e);
    }
  }

  private static PathMatcher glob(Path of, String pattern) {
    return of.getFileSystem().getPathMatcher("glob:" + pattern);
  }

  /** Tells whether a path, relative to the directory, is left out. */
  boolean matches(Path path, boolean isDirectory) {
    for (Rule rule : rules) {
      if ((isDirectory || !rule.isDirectory)
          && rule.matcher.matches(rule.isName ? path.getFileName() : path)) {
        return true;
      }
    }
    return false;
  }
}
