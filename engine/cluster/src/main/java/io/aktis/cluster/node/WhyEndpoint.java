package io.aktis.cluster.node;

import io.aktis.core.id.ShownId;
import io.aktis.wire.message.Explanation;
import io.aktis.wire.message.JobHello;
import io.aktis.wire.message.WhyReply;
import io.aktis.wire.message.WhyRequest;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers why something is not done yet: asks its owner, which is connected to each node.
 * Thread-safe.
 */
final class WhyEndpoint {
  private static final long OWNER_TIMEOUT_MS = 5_000;

  private final NodeLoop loop;
  private final LeaseDesk leases;

  WhyEndpoint(NodeLoop loop, LeaseDesk leases) {
    this.loop = loop;
    this.leases = leases;
  }

  void why(WhyRequest request, StreamObserver<WhyReply> answers) {
    Answers.allowGone(answers);
    loop.post(() -> {
      WhyReply.Builder reply = WhyReply.newBuilder();
      OwnerSession owner = ownerOf(request.getId());
      if (owner == null) {
        Answers.give(answers, reply.build());
        return;
      }
      JobHello hello = owner.hello();
      reply.setOwnerIsHere(true).setProgram(hello == null ? "" : hello.getProgram());
      CompletableFuture<?> _ =
          owner
              .why(request.getId())
              .completeOnTimeout(silent(), OWNER_TIMEOUT_MS, TimeUnit.MILLISECONDS)
              .thenAccept(
                  said -> Answers.give(answers, reply.addAllLines(said.getLinesList()).build()));
    });
  }

  private static Explanation silent() {
    return Explanation.newBuilder()
        .addLines("its program does not answer within " + OWNER_TIMEOUT_MS / 1_000 + " s")
        .build();
  }

  /** Returns the owner whose number an id has; null when none is connected. On the loop. */
  private @Nullable OwnerSession ownerOf(String id) {
    ShownId shown = ShownId.parse(id);
    for (var entry : leases.owners().entrySet()) {
      if (shown != null && shown.isOf(entry.getKey())) {
        return entry.getValue();
      }
    }
    return null;
  }
}
