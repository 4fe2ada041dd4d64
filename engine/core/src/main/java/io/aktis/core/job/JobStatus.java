package io.aktis.core.job;

import java.util.OptionalInt;

/**
 * How a job is at one moment. Times are those that came with the events, in ms; 0 for what has not
 * happened.
 *
 * @param job which
 * @param state where it is in its life
 * @param isStopping whether it was asked to end and has not ended
 * @param submittedAtMs when it came
 * @param startedAtMs when its process began
 * @param endedAtMs when it was over
 * @param pid the number of its process; 0 before it began
 * @param exitCode with which its process ended, if it did
 * @param reason why it waits, could not be started or was lost; else empty
 */
public record JobStatus(
    JobId job,
    JobState state,
    boolean isStopping,
    long submittedAtMs,
    long startedAtMs,
    long endedAtMs,
    long pid,
    OptionalInt exitCode,
    String reason) {}
