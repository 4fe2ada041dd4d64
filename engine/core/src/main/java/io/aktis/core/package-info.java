/** Pure decisions: no clock, thread, socket or random source in here. */
@NullMarked
package io.aktis.core;

import org.jspecify.annotations.NullMarked;
