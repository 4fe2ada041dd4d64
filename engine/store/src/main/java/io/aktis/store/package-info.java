/** The object store of one node: create, write, seal, pin, release, delete. */
@NullMarked
package io.aktis.store;

import org.jspecify.annotations.NullMarked;
