package io.aktis.core.name;

/**
 * The name of an actor.
 *
 * @param namespace where it is unique
 * @param name what it was given
 */
public record Name(String namespace, String name) {}
