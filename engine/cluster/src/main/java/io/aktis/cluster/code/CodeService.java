package io.aktis.cluster.code;

import com.google.protobuf.UnsafeByteOperations;
import io.aktis.cluster.rpc.Methods;
import io.aktis.wire.message.Chunk;
import io.aktis.wire.message.CodeChunk;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodePut;
import io.aktis.wire.message.CodeUnit;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the calls about code on a node. The handlers run on threads of the network and hand over
 * at once to a virtual thread for each call, which reads and writes files. Thread-safe.
 */
final class CodeService {
  private static final Logger LOG = LoggerFactory.getLogger(CodeService.class);

  /** Size of the pieces in which files travel. */
  static final int CHUNK_BYTES = 1 << 20;

  private final CodeCache cache;
  private final long stallMs;

  /**
   * Makes a service.
   *
   * @param stallMs how long a call may stand still before it is given up
   */
  CodeService(CodeCache cache, long stallMs) {
    this.cache = cache;
    this.stallMs = stallMs;
  }

  /** Adds the methods to the service of a node. */
  void addTo(ServerServiceDefinition.Builder service) {
    service.addMethod(Methods.LACKS_CODE, ServerCalls.asyncUnaryCall(this::lacks));
    service.addMethod(Methods.PUT_CODE, ServerCalls.asyncClientStreamingCall(this::put));
    service.addMethod(Methods.READ_CODE, ServerCalls.asyncServerStreamingCall(this::read));
  }

  /** What a handler does on its own thread. */
  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static void start(String name, StreamObserver<?> answers, Work work) {
    Thread.ofVirtual()
        .name(name)
        .start(() -> {
          try {
            work.run();
          } catch (Throwable e) { // whatever it is, the caller must hear of it
            if (!(e instanceof CodeException || e instanceof IllegalArgumentException)) {
              LOG.warn("{} failed", name, e);
            }
            answers.onError(CodeStatus.of(e).asRuntimeException());
          }
        });
  }

  private void lacks(CodeUnit unit, StreamObserver<CodeUnit> answers) {
    start(
        "aktis-code-lacks",
        answers,
        () -> {
          answers.onNext(cache.lacks(unit));
          answers.onCompleted();
        });
  }

  private StreamObserver<CodeChunk> put(StreamObserver<CodePut> answers) {
    var call = (ServerCallStreamObserver<CodePut>) answers;
    call.disableAutoRequest();
    call.setOnCancelHandler(() -> {}); // the observer of the chunks is told
    Inflow<CodeChunk> chunks = new Inflow<>(() -> call.request(1), stallMs);
    start("aktis-code-put", answers, () -> receive(chunks, answers));
    return new StreamObserver<>() {
      @Override
      public void onNext(CodeChunk chunk) {
        chunks.message(chunk);
      }

      @Override
      public void onError(Throwable failure) {
        chunks.end(Status.fromThrowable(failure));
      }

      @Override
      public void onCompleted() {
        chunks.end(Status.OK);
      }
    };
  }

  private void receive(Inflow<CodeChunk> chunks, StreamObserver<CodePut> answers)
      throws IOException, InterruptedException {
    CodeChunk first = chunks.next("take code");
    if (first == null || !first.hasHead()) {
      throw new IllegalArgumentException("the first chunk must tell which file comes");
    }
    CodeFile file = first.getHead();
    if (cache.find(file) == null) {
      try (CodeWrite write = cache.begin(file)) {
        String doing = "take " + Sha256.title(file);
        for (CodeChunk chunk = chunks.next(doing); chunk != null; chunk = chunks.next(doing)) {
          write.add(chunk.getData());
        }
        write.commit();
      }
    }
    answers.onNext(CodePut.getDefaultInstance());
    answers.onCompleted();
  }

  private void read(CodeFile file, StreamObserver<Chunk> answers) {
    var call = (ServerCallStreamObserver<Chunk>) answers;
    Wakeup wakeup = new Wakeup();
    call.setOnReadyHandler(wakeup::signal);
    call.setOnCancelHandler(wakeup::signal);
    start("aktis-code-read", answers, () -> send(file, call, wakeup));
  }

  private void send(CodeFile file, ServerCallStreamObserver<Chunk> call, Wakeup wakeup)
      throws IOException, InterruptedException {
    Path path = cache.find(file);
    if (path == null) {
      throw new CodeException(
          CodeException.Reason.MISSING, "this node does not have " + Sha256.title(file));
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] block = in.readNBytes(CHUNK_BYTES);
      while (block.length > 0 && !call.isCancelled()) {
        if (!wakeup.await(() -> call.isReady() || call.isCancelled(), stallMs)) {
          throw new CodeException(
              CodeException.Reason.UNREACHABLE, "the reader took nothing for " + stallMs + " ms");
        }
        call.onNext(
            Chunk.newBuilder()
                .setTotalBytes(file.getSizeBytes())
                .setData(UnsafeByteOperations.unsafeWrap(block))
                .build());
        block = in.readNBytes(CHUNK_BYTES);
      }
    }
    if (!call.isCancelled()) {
      call.onCompleted();
    }
  }
}
