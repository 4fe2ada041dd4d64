/** Serializable functions of zero to six arguments, the shapes user code is passed in. */
@NullMarked
package io.aktis.function;

import org.jspecify.annotations.NullMarked;
