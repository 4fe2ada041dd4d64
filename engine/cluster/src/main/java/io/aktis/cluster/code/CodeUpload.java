package io.aktis.cluster.code;

import com.google.protobuf.UnsafeByteOperations;
import io.aktis.cluster.rpc.Methods;
import io.aktis.cluster.rpc.RpcChannel;
import io.aktis.wire.message.CodeChunk;
import io.aktis.wire.message.CodeFile;
import io.aktis.wire.message.CodePut;
import io.aktis.wire.message.CodeUnit;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Sends the code of a program to a node. Called by the driver, on threads that may wait. */
public final class CodeUpload {
  /** A node hashes its own jars when it is first asked. */
  private static final long LACKS_TIMEOUT_MS = 60_000;

  private CodeUpload() {}

  /**
   * What was sent.
   *
   * @param files how many files
   * @param sizeBytes how many bytes they have
   */
  public record Sent(int files, long sizeBytes) {}

  /**
   * Sends the files that the node lacks; asks once, and is done if it lacks nothing. Say the job's
   * hello first: until then the node does not hold the files.
   *
   * @throws CodeException when a file has changed since the scan, the node has no room for it, or
   *     the node cannot be reached or refuses
   */
  public static Sent run(RpcChannel node, CodeUnitScan scan)
      throws IOException, InterruptedException {
    long sizeBytes = 0;
    CodeUnit lacking = lacking(node, scan.unit());
    for (CodeFile file : lacking.getFilesList()) {
      send(node, scan, file);
      sizeBytes += file.getSizeBytes();
    }
    return new Sent(lacking.getFilesCount(), sizeBytes);
  }

  private static CodeUnit lacking(RpcChannel node, CodeUnit unit)
      throws IOException, InterruptedException {
    ClientCall<CodeUnit, CodeUnit> call = node.call(Methods.LACKS_CODE, LACKS_TIMEOUT_MS);
    String doing = "ask " + node.address() + " which code it lacks";
    Inflow<CodeUnit> answers =
        new Inflow<>(() -> call.request(1), LACKS_TIMEOUT_MS + TimeUnit.SECONDS.toMillis(5));
    boolean done = false;
    try {
      call.start(new Answers<>(answers), new Metadata());
      call.sendMessage(unit);
      call.halfClose();
      CodeUnit answer = answers.next(doing);
      if (answer == null || answers.next(doing) != null) {
        throw CodeStatus.failure(doing, Status.UNKNOWN.withDescription("not one answer came"));
      }
      done = true;
      return answer;
    } finally {
      if (!done) {
        call.cancel("the answer is not wanted any more", null);
      }
    }
  }

  private static final class Answers<A> extends ClientCall.Listener<A> {
    private final Inflow<A> inflow;

    Answers(Inflow<A> inflow) {
      this.inflow = inflow;
    }

    @Override
    public void onMessage(A message) {
      inflow.message(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      inflow.end(status);
    }
  }

  private static void send(RpcChannel node, CodeUnitScan scan, CodeFile file)
      throws IOException, InterruptedException {
    String doing = "send " + Sha256.title(file) + " to " + node.address();
    try (InputStream in = scan.open(file)) {
      Sending sending = new Sending(node.call(Methods.PUT_CODE), doing);
      boolean done = false;
      try {
        sending.start(file);
        sendBytes(sending, file, in);
        sending.finish();
        done = true;
      } finally {
        if (!done) {
          sending.call.cancel("the file is not sent to its end", null);
        }
      }
    }
  }

  /** The last block is only sent when all bytes together have the hash. */
  private static void sendBytes(Sending sending, CodeFile file, InputStream in)
      throws IOException, InterruptedException {
    MessageDigest digest = Sha256.digest();
    byte[] block = in.readNBytes(CodeService.CHUNK_BYTES);
    while (block.length > 0 && sending.awaitReady()) {
      digest.update(block);
      byte[] next = in.readNBytes(CodeService.CHUNK_BYTES);
      if (next.length == 0
          && !MessageDigest.isEqual(digest.digest(), file.getSha256().toByteArray())) {
        throw new CodeException(
            CodeException.Reason.CHANGED,
            file.getName()
                + " was changed after the session was opened; open a new session to run the new"
                + " code");
      }
      sending.send(CodeChunk.newBuilder().setData(UnsafeByteOperations.unsafeWrap(block)).build());
      block = next;
    }
  }

  /** One call that sends a file. One thread sends; the network's threads tell how it goes. */
  private static final class Sending extends ClientCall.Listener<CodePut> {
    private final ClientCall<CodeChunk, CodePut> call;
    private final String doing;
    private final Wakeup wakeup = new Wakeup();
    private volatile @Nullable Status end;

    Sending(ClientCall<CodeChunk, CodePut> call, String doing) {
      this.call = call;
      this.doing = doing;
    }

    void start(CodeFile file) {
      call.start(this, new Metadata());
      call.request(1);
      send(CodeChunk.newBuilder().setHead(file).build());
    }

    /** Returns false when the node has answered, and wants no more. */
    boolean awaitReady() throws CodeException, InterruptedException {
      await(call::isReady);
      return end == null;
    }

    private void await(BooleanSupplier condition) throws CodeException, InterruptedException {
      if (!wakeup.await(() -> end != null || condition.getAsBoolean(), CodeCache.STALL_MS)) {
        throw new CodeException(
            CodeException.Reason.UNREACHABLE,
            "cannot " + doing + ": the node took nothing for " + CodeCache.STALL_MS + " ms");
      }
    }

    void send(CodeChunk chunk) {
      call.sendMessage(chunk);
    }

    void finish() throws CodeException, InterruptedException {
      call.halfClose();
      await(() -> false);
      Status status = end;
      if (status != null && !status.isOk()) {
        throw CodeStatus.failure(doing, status);
      }
    }

    @Override
    public void onReady() {
      wakeup.signal();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end = status;
      wakeup.signal();
    }
  }
}
