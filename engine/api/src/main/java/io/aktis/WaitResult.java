package io.aktis;

import java.util.List;

/**
 * What {@code wait} found, both lists in the order of the input.
 *
 * @param ready references whose value or failure is there, at most as many as were asked for
 * @param notReady all others, some of which may be ready by now; a list of its own. To pass it on
 *     to the next {@code wait} as it is costs little, however long it is
 * @param <T> type of the values
 */
public record WaitResult<T>(List<ObjectRef<T>> ready, List<ObjectRef<T>> notReady) {}
