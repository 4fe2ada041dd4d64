package io.aktis.cluster.code;

import io.aktis.function.TaskFunction1;
import io.aktis.wire.value.Encoded;
import io.aktis.wire.value.ValueCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Runs what {@link UnitInProcessTest} sends it, in a JVM of its own: a file with an encoded
 * function, a file to write its encoded result to, and the jars of a unit.
 */
final class ForeignProcess {
  private ForeignProcess() {}

  public static void main(String[] args) throws Exception {
    List<Path> files = Arrays.stream(args).skip(2).map(Path::of).toList();
    ClassLoader engine = ForeignProcess.class.getClassLoader();
    try (UnitClassLoader loader = new UnitClassLoader("foreign", files, engine);
        ValueCodec codec = ValueCodec.of(loader)) {
      Encoded encoded = Encoded.open(Files.readAllBytes(Path.of(args[0])));
      @SuppressWarnings("unchecked")
      var function = (TaskFunction1<Integer, Object>) codec.decode(encoded);
      Object result = function.apply(20);
      Files.write(Path.of(args[1]), codec.encode(result).toBytes());
      System.out.println(function.getClass().getClassLoader());
    }
  }
}
