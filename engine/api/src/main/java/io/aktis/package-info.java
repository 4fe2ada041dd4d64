/** The front door of Aktis: remote tasks, actors and shared objects. */
@NullMarked
package io.aktis;

import org.jspecify.annotations.NullMarked;
