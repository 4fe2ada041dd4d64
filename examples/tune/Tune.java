import io.aktis.Aktis;
import io.aktis.ObjectRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Looks for good hyper-parameters of a logistic regression, a task for each combination. */
final class Tune {
  private static final int FOLDS = 5;
  private static final int FEATURES = 8;

  /** Hyper-parameters. */
  record Params(double rate, double decay, int epochs) {}

  /** How well they did: the share of rows that are classified right, over all folds. */
  record Trial(Params params, double accuracy) {}

  /** Rows of numbers, and the class of each row. */
  record Data(double[][] rows, boolean[] classes) {}

  static void main(String[] args) {
    int rows = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;

    try (var _ = Aktis.init()) {
      ObjectRef<Data> data = Aktis.put(generate(rows));
      List<ObjectRef<Trial>> trials = new ArrayList<>();
      for (double rate : new double[] {0.001, 0.01, 0.1, 1}) {
        for (double decay : new double[] {0, 0.001, 0.1}) {
          for (int epochs : new int[] {1, 10, 30}) {
            Params params = new Params(rate, decay, epochs);
            trials.add(Aktis.task(Tune::crossValidate, data, params).cpus(1).remote());
          }
        }
      }

      Trial best = new Trial(new Params(0, 0, 0), 0);
      for (ObjectRef<Trial> finished : Aktis.completed(trials)) {
        Trial trial = finished.get();
        if (trial.accuracy() > best.accuracy()) {
          best = trial;
          IO.println("better: %.3f with %s".formatted(trial.accuracy(), trial.params()));
        }
      }
      IO.println("best of %d trials: %.3f".formatted(trials.size(), best.accuracy()));
      if (best.accuracy() < 0.85 || !best.equals(crossValidate(data.get(), best.params()))) {
        throw new AssertionError("the best trial is not good, or cannot be repeated: " + best);
      }
    }
  }

  /** Trains on all folds but one and tests on that one, for each fold. */
  static Trial crossValidate(Data data, Params params) {
    int right = 0;
    for (int fold = 0; fold < FOLDS; fold++) {
      double[] weights = train(data, params, fold);
      for (int row = fold; row < data.rows().length; row += FOLDS) {
        if (probability(weights, data.rows()[row]) > 0.5 == data.classes()[row]) {
          right++;
        }
      }
    }
    return new Trial(params, (double) right / data.rows().length);
  }

  /** Follows the gradient, row by row, and leaves out the rows of one fold. */
  private static double[] train(Data data, Params params, int leftOut) {
    double[] weights = new double[FEATURES + 1];
    for (int epoch = 0; epoch < params.epochs(); epoch++) {
      for (int row = 0; row < data.rows().length; row++) {
        if (row % FOLDS != leftOut) {
          double[] x = data.rows()[row];
          double miss = (data.classes()[row] ? 1 : 0) - probability(weights, x);
          for (int i = 0; i < FEATURES; i++) {
            weights[i] += params.rate() * (miss * x[i] - params.decay() * weights[i]);
          }
          weights[FEATURES] += params.rate() * miss;
        }
      }
    }
    return weights;
  }

  private static double probability(double[] weights, double[] x) {
    double sum = weights[FEATURES];
    for (int i = 0; i < FEATURES; i++) {
      sum += weights[i] * x[i];
    }
    return 1 / (1 + Math.exp(-sum));
  }

  /** Makes up rows whose class follows a line through them, with some that are wrong. */
  private static Data generate(int rows) {
    Random random = new Random(42);
    double[] truth = random.doubles(FEATURES, -2, 2).toArray();
    double[][] x = new double[rows][];
    boolean[] classes = new boolean[rows];
    for (int row = 0; row < rows; row++) {
      x[row] = random.doubles(FEATURES, -1, 1).toArray();
      double sum = 0.3 * random.nextGaussian();
      for (int i = 0; i < FEATURES; i++) {
        sum += truth[i] * x[row][i];
      }
      classes[row] = sum > 0;
    }
    return new Data(x, classes);
  }
}
