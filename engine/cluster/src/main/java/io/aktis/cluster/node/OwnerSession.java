package io.aktis.cluster.node;

import io.aktis.core.id.GroupId;
import io.aktis.wire.message.BundleReport;
import io.aktis.wire.message.Explanation;
import io.aktis.wire.message.Id;
import io.aktis.wire.message.JobHello;
import io.aktis.wire.message.LogLines;
import io.aktis.wire.message.NodeToOwner;
import io.aktis.wire.message.ObjectsAnswer;
import io.aktis.wire.message.ObjectsQuestion;
import io.aktis.wire.message.WhyQuestion;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The stream of one owner. Belongs to the loop, but for the lines of its log. */
final class OwnerSession {
  /** So long lines are collected before they are sent. */
  static final long LOG_DELAY_MS = 20;

  final LogRelay log;
  private final ServerCallStreamObserver<NodeToOwner> out;
  private @Nullable JobHello hello;
  private final Unanswered<ObjectsAnswer> objects =
      new Unanswered<>(ObjectsAnswer.getDefaultInstance());
  private final Unanswered<Explanation> whys = new Unanswered<>(Explanation.getDefaultInstance());
  private long questions;
  private boolean closed;
  private BundleReport lastBundles = BundleReport.getDefaultInstance();

  /** Whether nothing more is taken from it: it has ended, or has failed. */
  boolean over;

  /** Whether it has ever asked for bundles, and so wants reports of them. */
  boolean usesGroups;

  /** Groups of other owners that it uses. */
  final Set<GroupId> usedGroups = new HashSet<>();

  OwnerSession(ServerCallStreamObserver<NodeToOwner> out, NodeLoop loop) {
    this.out = out;
    this.log = new LogRelay(() -> loop.post(() -> loop.schedule(LOG_DELAY_MS, this::sendLog)));
  }

  @Nullable JobHello hello() {
    return hello;
  }

  /**
   * Questions of one kind that were asked and not answered.
   *
   * @param none stands for the answer that never comes
   */
  private record Unanswered<A>(Map<Long, CompletableFuture<A>> answers, A none) {
    Unanswered(A none) {
      this(new HashMap<>(), none);
    }

    CompletableFuture<A> add(long number) {
      CompletableFuture<A> answer = new CompletableFuture<>();
      answers.put(number, answer);
      return answer;
    }

    void answer(long number, A answer) {
      CompletableFuture<A> waiting = answers.remove(number);
      if (waiting != null) {
        waiting.complete(answer);
      }
    }

    void leave() {
      answers.values().forEach(each -> each.complete(none));
      answers.clear();
    }
  }

  /** Asks the owner what it knows of objects; completed when the answer has come, or never will. */
  CompletableFuture<ObjectsAnswer> describe(List<Id> ids) {
    CompletableFuture<ObjectsAnswer> answer = objects.add(++questions);
    ask(
        NodeToOwner.newBuilder()
            .setDescribe(ObjectsQuestion.newBuilder().setNumber(questions).addAllObjects(ids)));
    return answer;
  }

  void described(ObjectsAnswer answer) {
    objects.answer(answer.getNumber(), answer);
  }

  /** Asks the owner why something is not done; completed as by {@link #describe}. */
  CompletableFuture<Explanation> why(String id) {
    CompletableFuture<Explanation> answer = whys.add(++questions);
    ask(NodeToOwner.newBuilder().setWhy(WhyQuestion.newBuilder().setNumber(questions).setId(id)));
    return answer;
  }

  void explained(Explanation answer) {
    whys.answer(answer.getNumber(), answer);
  }

  private void ask(NodeToOwner.Builder question) {
    send(question);
    if (over) {
      leaveUnanswered();
    }
  }

  /** Nobody answers any more. */
  void leaveUnanswered() {
    objects.leave();
    whys.leave();
  }

  void begin(JobHello first) {
    hello = first;
  }

  void send(NodeToOwner message) {
    if (!closed) {
      out.onNext(message);
    }
  }

  /** Sends a report of bundles if it says something else than the last one. */
  void sendIfNews(BundleReport report) {
    if (!report.equals(lastBundles)) {
      lastBundles = report;
      send(NodeToOwner.newBuilder().setBundles(report));
    }
  }

  void send(NodeToOwner.Builder message) {
    send(message.build());
  }

  /** Sends lines while the owner takes them; goes on when the stream has room again. */
  void sendLog() {
    while (!closed && out.isReady()) {
      LogLines lines = log.poll();
      if (lines == null) {
        return;
      }
      out.onNext(NodeToOwner.newBuilder().setLog(lines).build());
    }
  }

  /** Ends the stream well. */
  void complete() {
    if (!closed) {
      sendLog();
      closed = true;
      out.onCompleted();
    }
  }

  /** Ends the stream with a reason. */
  void fail(Status status) {
    if (!closed) {
      closed = true;
      out.onError(status.asRuntimeException());
    }
  }
}
