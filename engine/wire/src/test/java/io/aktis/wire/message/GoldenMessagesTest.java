package io.aktis.wire.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.aktis.wire.value.ValueCodec;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * The bytes of messages, for who speaks the protocol in another language. When one of these
 * changes, processes of different builds do not understand each other any more.
 */
class GoldenMessagesTest {
  private static final ValueCodec CODEC = ValueCodec.of(GoldenMessagesTest.class.getClassLoader());

  private static Id id(long owner, long number) {
    return Id.newBuilder().setOwner(owner).setNumber(number).build();
  }

  private static ByteString value(Object value) {
    return ByteString.copyFrom(CODEC.encode(value).toBytes());
  }

  @Test
  void hello_ofAnOwner_hasItsBytes() throws InvalidProtocolBufferException {
    check(
        OwnerToWorker.newBuilder()
            .setHello(
                OwnerHello.newBuilder()
                    .setOwner(0x8000_0000_0000_0001L)
                    .setSessionId("s1")
                    .setNamespace("default")
                    .setIds(IdRange.newBuilder().setFirst(1L << 39).setCount(1 << 24))
                    .setMaxPendingTasks(1_000))
            .build(),
        "0a27090100000000000080120273311a0764656661756c74" + "2a0c08808080808010108080800830e807",
        OwnerToWorker.parser());
  }

  @Test
  void push_ofATaskWithAValueAndAnObject_hasItsBytes() throws InvalidProtocolBufferException {
    Push push =
        Push.newBuilder()
            .setRun(Run.newBuilder().setTask(id(1, 2)).setAttempt(1))
            .setName("f")
            .setLease(id(1, 3))
            .setReturns(1)
            .setNumber(7)
            .addArguments(Argument.newBuilder().setValue(value(42)))
            .addArguments(
                Argument.newBuilder()
                    .setObject(
                        ObjectArgument.newBuilder()
                            .setObject(id(1, 4))
                            .setOutcome(Outcome.newBuilder().setValue(value("x")))))
            .build();
    check(
        push,
        "0a160a120901000000000000001102000000000000001001"
            + "1a0166"
            + "2212090100000000000000110300000000000000"
            + "3a1e0a1c4156010500000000000000000000000004000000000000002a000000"
            + "3a3312310a12090100000000000000110400000000000000"
            + "121b0a1941560109000000000000000000000000010000000000000078"
            + "40017807",
        Push.parser());
  }

  @Test
  void refusal_ofALease_hasItsBytes() throws InvalidProtocolBufferException {
    check(
        NodeToOwner.newBuilder()
            .setLeaseRefused(LeaseRefused.newBuilder().setLease(id(1, 2)).setReason("busy"))
            .build(),
        "1a1a0a120901000000000000001102000000000000001204" + "62757379",
        NodeToOwner.parser());
  }

  @Test
  void submission_ofAProgram_hasItsBytes() throws InvalidProtocolBufferException {
    check(
        SubmitJob.newBuilder()
            .setProgram("a.jar")
            .setMainClass("A")
            .addArguments("x")
            .putEnv("K", "v")
            .setCode(CodeUnit.newBuilder().addFiles(CodeFile.newBuilder().setName("f")))
            .build(),
        "0a05612e6a6172120141" + "1a0178" + "22060a014b120176" + "2a050a030a0166",
        SubmitJob.parser());
  }

  @Test
  void job_thatWasKilled_hasItsBytes() throws InvalidProtocolBufferException {
    check(
        JobEntry.newBuilder()
            .setJob("job-7")
            .setState(JobState.FAILED)
            .setSubmittedAtMs(1)
            .setStartedAtMs(2)
            .setEndedAtMs(3)
            .setExitCode(137)
            .build(),
        "0a056a6f622d37" + "2003" + "300138024003" + "488901",
        JobEntry.parser());
  }

  private static void check(Message message, String hex, Parser<? extends Message> parser)
      throws InvalidProtocolBufferException {
    byte[] bytes = message.toByteArray();
    assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(hex);
    assertThat(parser.parseFrom(bytes)).isEqualTo(message);
  }
}
