/**
 * The object store of one node: create, write, seal, pin, release, delete. The door is {@link
 * io.aktis.store.ObjectStore}; how its memory is divided and when it goes back to the operating
 * system is told in {@code ExtentPool}.
 */
@NullMarked
package io.aktis.store;

import org.jspecify.annotations.NullMarked;
