/** What an engine implements and what extensions of Aktis build on; programs do not need it. */
@NullMarked
package io.aktis.spi;

import org.jspecify.annotations.NullMarked;
