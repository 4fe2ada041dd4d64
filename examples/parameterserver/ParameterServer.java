import io.aktis.ActorGroup;
import io.aktis.ActorHandle;
import io.aktis.Aktis;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** Fits a linear model: workers keep the data, and share weights that an actor holds. */
final class ParameterServer {
  private static final double[] TRUTH = {2.0, -3.0, 0.5, 1.0, -1.5};
  private static final int WORKERS = 4;

  static void main(String[] args) {
    int steps = args.length > 0 ? Integer.parseInt(args[0]) : 200;

    try (var _ = Aktis.init();
        var server = Aktis.actor(Server::new, TRUTH.length).remote();
        var workers = ActorGroup.of(WORKERS, Worker::new)) {
      Aktis.get(workers.runEach(Worker::load, IntStream.range(0, WORKERS).boxed().toList()));
      Aktis.get(workers.callAll(Worker::train, server, steps));

      double[] weights = server.call(Server::weights).get();
      double error = distance(weights, TRUTH);
      IO.println(
          "weights after %,d steps: %s, off by %.3f"
              .formatted(WORKERS * steps, Arrays.toString(rounded(weights)), error));
      if (error > 0.1) {
        throw new AssertionError("the true weights are " + Arrays.toString(TRUTH));
      }
    }
  }

  /** Holds the weights. Calls run one at a time, so it needs no lock. */
  static final class Server {
    private final double[] weights;

    Server(int size) {
      weights = new double[size];
    }

    double[] weights() {
      return weights;
    }

    void add(double[] change) {
      Arrays.setAll(weights, i -> weights[i] + change[i]);
    }
  }

  /** Holds a part of the data and improves the shared weights with it. */
  static final class Worker {
    private static final int ROWS = 500;
    private static final double RATE = 0.05;

    private final double[][] inputs = new double[ROWS][TRUTH.length];
    private final double[] outputs = new double[ROWS];

    /** Makes up the rows of this worker: the true model and some noise. */
    void load(int part) {
      Random random = new Random(part);
      for (int row = 0; row < ROWS; row++) {
        Arrays.setAll(inputs[row], i -> random.nextGaussian());
        outputs[row] = dot(inputs[row], TRUTH) + 0.1 * random.nextGaussian();
      }
    }

    /** Follows the gradient on the own rows, beside the other workers; returns the last error. */
    double train(ActorHandle<Server> server, int steps) {
      double error = 0;
      for (int step = 0; step < steps; step++) {
        double[] weights = server.call(Server::weights).get();
        double[] change = new double[weights.length];
        error = 0;
        for (int row = 0; row < ROWS; row++) {
          double miss = outputs[row] - dot(inputs[row], weights);
          error += miss * miss / ROWS;
          for (int i = 0; i < change.length; i++) {
            change[i] += RATE * miss * inputs[row][i] / ROWS;
          }
        }
        server.run(Server::add, change);
      }
      return error;
    }
  }

  private static double dot(double[] a, double[] b) {
    return IntStream.range(0, a.length).mapToDouble(i -> a[i] * b[i]).sum();
  }

  private static double distance(double[] a, double[] b) {
    return Math.sqrt(IntStream.range(0, a.length).mapToDouble(i -> Math.pow(a[i] - b[i], 2)).sum());
  }

  private static double[] rounded(double[] numbers) {
    return Arrays.stream(numbers).map(number -> Math.round(number * 100) / 100.0).toArray();
  }
}
