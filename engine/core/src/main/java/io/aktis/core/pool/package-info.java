/** Which worker process serves a lease: when processes start, who shares one, when they end. */
@NullMarked
package io.aktis.core.pool;

import org.jspecify.annotations.NullMarked;
