/** What a session needs from other processes, as interfaces. */
@NullMarked
package io.aktis.runtime.port;

import org.jspecify.annotations.NullMarked;
