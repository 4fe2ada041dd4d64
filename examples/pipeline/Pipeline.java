import io.aktis.ActorHandle;
import io.aktis.Aktis;
import io.aktis.ObjectRef;
import io.aktis.ObjectRefStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Follows a light through the pictures of a camera that waits when nobody takes its pictures. */
final class Pipeline {
  private static final int BUFFER = 8;
  private static final int DETECTORS = 4;
  private static final int WIDTH = 160;
  private static final int HEIGHT = 120;

  /** One picture: the brightness of each pixel. */
  record Frame(int number, byte[] pixels) {}

  /** Where the light is in one picture. */
  record Spot(int frame, int x, int y) {}

  static void main(String[] args) {
    int frames = args.length > 0 ? Integer.parseInt(args[0]) : 500;

    try (var _ = Aktis.init();
        var lead = Aktis.actor(Lead::new).remote();
        ObjectRefStream<Frame> camera =
            Aktis.stream(Pipeline::film, frames, lead).buffer(BUFFER).remote()) {
      int found = 0;
      Deque<ObjectRef<Spot>> detections = new ArrayDeque<>();
      for (ObjectRef<Frame> frame : camera) {
        lead.run(Lead::taken).get();
        detections.add(Aktis.task(Pipeline::detect, frame).remote());
        if (detections.size() == DETECTORS) {
          found += check(detections.remove().get());
        }
      }
      for (ObjectRef<Spot> detection : detections) {
        found += check(detection.get());
      }

      int most = lead.call(Lead::most).get();
      IO.println("the light was found in %,d of %,d frames".formatted(found, frames));
      IO.println("the camera was at most %d frames ahead".formatted(most));
      if (found != frames || most > BUFFER + 2) {
        throw new AssertionError("frames were lost, or the camera was not held back");
      }
    }
  }

  /** Makes the pictures. The stream is lazy, and stops where it is while the buffer is full. */
  static Stream<Frame> film(int frames, ActorHandle<Lead> lead) {
    return IntStream.range(0, frames)
        .mapToObj(number -> {
          lead.run(Lead::made).get();
          return picture(number);
        });
  }

  /** Finds the brightest pixel. */
  static Spot detect(Frame frame) {
    int brightest = 0;
    for (int i = 1; i < frame.pixels().length; i++) {
      if (frame.pixels()[i] > frame.pixels()[brightest]) {
        brightest = i;
      }
    }
    return new Spot(frame.number(), brightest % WIDTH, brightest / WIDTH);
  }

  private static Frame picture(int number) {
    byte[] pixels = new byte[WIDTH * HEIGHT];
    new Random(number).nextBytes(pixels);
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) (pixels[i] / 2); // noise, darker than the light
    }
    pixels[number % HEIGHT * WIDTH + number % WIDTH] = Byte.MAX_VALUE;
    return new Frame(number, pixels);
  }

  private static int check(Spot spot) {
    return spot.x() == spot.frame() % WIDTH && spot.y() == spot.frame() % HEIGHT ? 1 : 0;
  }

  /** Keeps how far the camera is ahead of the program. */
  static final class Lead {
    private int ahead;
    private int most;

    void made() {
      ahead++;
      most = Math.max(most, ahead);
    }

    void taken() {
      ahead--;
    }

    int most() {
      return most;
    }
  }
}
