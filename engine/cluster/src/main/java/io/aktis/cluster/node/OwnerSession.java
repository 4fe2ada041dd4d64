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
  private final Map<Long, CompletableFuture<ObjectsAnswer>> asked = new HashMap<>();
  private final Map<Long, CompletableFuture<Explanation>> wondering = new HashMap<>();
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

  /** Asks the owner what it knows of objects; completed when the answer has come, or never will. */
  CompletableFuture<ObjectsAnswer> describe(List<Id> objects) {
    CompletableFuture<ObjectsAnswer> answer = new CompletableFuture<>();
    asked.put(++questions, answer);
    send(
        NodeToOwner.newBuilder()
            .setDescribe(ObjectsQuestion.newBuilder().setNumber(questions).addAllObjects(objects)));
    if (over) {
      leaveUnanswered();
    }
    return answer;
  }

  void described(ObjectsAnswer answer) {
    CompletableFuture<ObjectsAnswer> waiting = asked.remove(answer.getNumber());
    if (waiting != null) {
      waiting.complete(answer);
    }
  }

  /** Asks the owner why something is not done; completed as by {@link #describe}. */
  CompletableFuture<Explanation> why(String id) {
    CompletableFuture<Explanation> answer = new CompletableFuture<>();
    wondering.put(++questions, answer);
    send(NodeToOwner.newBuilder().setWhy(WhyQuestion.newBuilder().setNumber(questions).setId(id)));
    if (over) {
      leaveUnanswered();
    }
    return answer;
  }

  void explained(Explanation answer) {
    CompletableFuture<Explanation> waiting = wondering.remove(answer.getNumber());
    if (waiting != null) {
      waiting.complete(answer);
    }
  }

  /** Nobody answers any more. */
  void leaveUnanswered() {
    wondering.values().forEach(each -> each.complete(Explanation.getDefaultInstance()));
    wondering.clear();
    asked.values().forEach(each -> each.complete(ObjectsAnswer.getDefaultInstance()));
    asked.clear();
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
