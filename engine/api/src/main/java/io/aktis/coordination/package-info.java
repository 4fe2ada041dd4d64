/** Coordination between tasks and actors: what several of them need to agree or wait together. */
@NullMarked
package io.aktis.coordination;

import org.jspecify.annotations.NullMarked;
