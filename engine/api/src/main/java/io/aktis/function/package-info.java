/**
 * Serializable functions of up to seven arguments, the types that lambdas of tasks are written as.
 */
@NullMarked
package io.aktis.function;

import org.jspecify.annotations.NullMarked;
