package io.aktis.runtime.session;

import io.aktis.wire.message.JobMessage;

/** Answers what other jobs ask of this one. Confined to the owner's loop. */
final class JobReplies {
  private final OwnerKernel kernel;
  private final JobLinks links;

  JobReplies(OwnerKernel kernel, JobLinks links) {
    this.kernel = kernel;
    this.links = links;
  }

  /** Makes the answer to a request; what it throws is the refusal. */
  interface Reply {
    JobMessage.Builder make();
  }

  /** Answers at once. */
  void now(long owner, long number, Reply reply) {
    links.send(owner, made(reply).setNumber(number));
  }

  /** Answers with a refusal. */
  void refuse(long owner, long number, RuntimeException why) {
    links.send(owner, refusal(why).setNumber(number));
  }

  /** Answers when it is made, on a thread of its own, on which it may wait. */
  void later(long owner, long number, Reply reply) {
    kernel
        .crew()
        .executeVirtual(() -> {
          JobMessage.Builder answer = made(reply);
          kernel.onLoop(() -> links.send(owner, answer.setNumber(number)));
        });
  }

  /** Says something that nobody has asked for, and that has no answer. */
  void tell(long owner, JobMessage.Builder message) {
    links.send(owner, message);
  }

  private static JobMessage.Builder made(Reply reply) {
    try {
      return reply.make();
    } catch (RuntimeException e) {
      return refusal(e);
    }
  }

  private static JobMessage.Builder refusal(RuntimeException why) {
    return JobMessage.newBuilder().setRefused(Refusals.message(why));
  }

  static JobMessage.Builder done(boolean done) {
    return JobMessage.newBuilder().setDone(done);
  }
}
