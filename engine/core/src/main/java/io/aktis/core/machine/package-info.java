/** What the machines of the engine share: their states and moves as data. */
@NullMarked
package io.aktis.core.machine;

import org.jspecify.annotations.NullMarked;
