package io.aktis.simulation;

import java.util.Random;

/**
 * How bad the network is.
 *
 * @param lossPercent how many of a hundred messages are lost
 * @param repeatPercent how many come twice
 * @param latePercent how many are overtaken by later ones
 * @param latencyMs how long the others take at most
 * @param lateMs how long the late ones take at most
 */
record Weather(int lossPercent, int repeatPercent, int latePercent, int latencyMs, int lateMs) {
  static final Weather CALM = new Weather(0, 0, 0, 3, 0);

  static Weather any(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> CALM;
      case 1 -> new Weather(2, 2, 10, 5, 50);
      case 2 -> new Weather(random.nextInt(10), random.nextInt(20), random.nextInt(30), 10, 200);
      default -> new Weather(random.nextInt(25), random.nextInt(40), random.nextInt(40), 20, 400);
    };
  }
}
