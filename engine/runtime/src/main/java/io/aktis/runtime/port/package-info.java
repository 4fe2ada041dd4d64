/** What a session needs from other processes, as interfaces; and a store that lies in this one. */
@NullMarked
package io.aktis.runtime.port;

import org.jspecify.annotations.NullMarked;
