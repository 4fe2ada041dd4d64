package io.aktis.cluster.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Writes down what a listener hears. */
final class Recorder implements Membership.Listener {
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  static Recorder of(Membership membership) {
    Recorder recorder = new Recorder();
    membership.listen(recorder);
    return recorder;
  }

  static String upOf(Membership.Member member) {
    return "up " + member;
  }

  static String goneOf(Membership.Member member) {
    return "gone " + member;
  }

  @Override
  public void up(Membership.Member member) {
    events.add(upOf(member));
  }

  @Override
  public void gone(Membership.Member member) {
    events.add(goneOf(member));
  }

  /** Returns the next event, or says that there was none in time. */
  String next(long timeoutMs) throws InterruptedException {
    String event = events.poll(timeoutMs, TimeUnit.MILLISECONDS);
    return event == null ? "nothing" : event;
  }

  /** Takes all that was heard so far. */
  List<String> heard() {
    List<String> all = new ArrayList<>();
    events.drainTo(all);
    return all;
  }
}
