/** 128-bit ids as records; a result's id follows from its task's id. */
@NullMarked
package io.aktis.core.id;

import org.jspecify.annotations.NullMarked;
