/** The life of one actor: made, alive, made again after a loss, dead. */
@NullMarked
package io.aktis.core.actor;

import org.jspecify.annotations.NullMarked;
