/** The classes of a job: packed, sent, kept by their hash, and loaded. */
@NullMarked
package io.aktis.cluster.code;

import org.jspecify.annotations.NullMarked;
