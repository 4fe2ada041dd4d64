import io.aktis.Aktis;
import io.aktis.ObjectRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Counts words in text files: a task for each file, and a tree of tasks that merges the counts. */
final class WordCount {
  private static final int WORDS_PER_FILE = 20_000;

  static void main(String[] args) throws IOException {
    int files = args.length > 0 ? Integer.parseInt(args[0]) : 40;
    Path folder = writeTexts(files);

    try (var _ = Aktis.init()) {
      List<ObjectRef<Map<String, Integer>>> counts = new ArrayList<>();
      for (Path text : textsIn(folder)) {
        counts.add(Aktis.task(WordCount::count, text.toString()).remote());
      }
      while (counts.size() > 1) {
        ObjectRef<Map<String, Integer>> first = counts.removeFirst();
        ObjectRef<Map<String, Integer>> second = counts.removeFirst();
        counts.add(Aktis.task(WordCount::merge, first, second).remote());
      }
      report(counts.getFirst().get(), files);
    } finally {
      delete(folder);
    }
  }

  static Map<String, Integer> count(String file) throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      lines
          .flatMap(line -> Stream.of(line.toLowerCase(Locale.ROOT).split("\\W+")))
          .filter(word -> !word.isEmpty())
          .forEach(word -> counts.merge(word, 1, Integer::sum));
    }
    return counts;
  }

  static Map<String, Integer> merge(Map<String, Integer> left, Map<String, Integer> right) {
    right.forEach((word, count) -> left.merge(word, count, Integer::sum));
    return left; // a copy of our own, so it may be changed
  }

  private static void report(Map<String, Integer> counts, int files) {
    int total = counts.values().stream().mapToInt(count -> count).sum();
    IO.println("%,d words, %d different, in %d files".formatted(total, counts.size(), files));
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
        .limit(3)
        .forEach(entry -> IO.println("%,9d %s".formatted(entry.getValue(), entry.getKey())));
    if (total != files * WORDS_PER_FILE) {
      throw new AssertionError("words were lost: " + files * WORDS_PER_FILE + " were written");
    }
  }

  // ---- the texts --------------------------------------------------------------------------

  private static Path writeTexts(int files) throws IOException {
    List<String> words = List.of("the", "ray", "of", "light", "a", "task", "and", "its", "result");
    Path folder = Files.createTempDirectory("words");
    for (int file = 0; file < files; file++) {
      Random random = new Random(file);
      List<String> lines = new ArrayList<>();
      for (int line = 0; line < WORDS_PER_FILE / 10; line++) {
        // The square of a random number prefers the first words.
        Stream<String> text =
            random
                .doubles(10)
                .mapToObj(number -> words.get((int) (number * number * words.size())));
        lines.add(String.join(" ", text.toList()) + ".");
      }
      Files.write(folder.resolve("text-" + file + ".txt"), lines);
    }
    return folder;
  }

  private static List<Path> textsIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static void delete(Path folder) throws IOException {
    for (Path file : textsIn(folder)) {
      Files.delete(file);
    }
    Files.delete(folder);
  }
}
