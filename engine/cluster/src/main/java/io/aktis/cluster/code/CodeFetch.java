package io.aktis.cluster.code;

import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.wire.message.Chunk;
import io.aktis.wire.message.CodeFile;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;

/** Gets one file of code from another node. */
final class CodeFetch {
  private CodeFetch() {}

  /** Waits until the file is in the cache. */
  static void run(RpcChannel node, CodeFile file, CodeCache cache)
      throws IOException, InterruptedException {
    ClientCall<CodeFile, Chunk> call = node.call(Methods.READ_CODE);
    boolean done = false;
    try (CodeWrite write = cache.begin(file)) {
      Inflow<Chunk> chunks = start(call, file);
      String doing = "get " + Sha256.title(file) + " from " + node.address();
      for (Chunk chunk = chunks.next(doing); chunk != null; chunk = chunks.next(doing)) {
        write.add(chunk.getData());
      }
      write.commit();
      done = true;
    } finally {
      if (!done) {
        call.cancel("the file is not wanted any more", null);
      }
    }
  }

  private static Inflow<Chunk> start(ClientCall<CodeFile, Chunk> call, CodeFile file) {
    Inflow<Chunk> chunks = new Inflow<>(() -> call.request(1), CodeCache.STALL_MS);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(Chunk chunk) {
            chunks.message(chunk);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            chunks.end(status);
          }
        },
        new Metadata());
    call.sendMessage(file);
    call.halfClose();
    return chunks;
  }
}
