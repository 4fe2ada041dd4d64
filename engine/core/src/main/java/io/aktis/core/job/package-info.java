/** Programs that were submitted: which of them run, when they are told to end, how they ended. */
@NullMarked
package io.aktis.core.job;

import org.jspecify.annotations.NullMarked;
