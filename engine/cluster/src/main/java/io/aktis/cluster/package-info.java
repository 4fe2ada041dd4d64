/** The engine in many processes. */
@NullMarked
package io.aktis.cluster;

import org.jspecify.annotations.NullMarked;
