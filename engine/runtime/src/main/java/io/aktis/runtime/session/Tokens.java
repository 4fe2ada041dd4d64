package io.aktis.runtime.session;

import io.aktis.wire.value.HandleId;

/** Finds what stands for a reference, an actor or a group that arrived inside a value. */
interface Tokens {
  Object token(HandleId id);
}
