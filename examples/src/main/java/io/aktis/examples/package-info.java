/** Small programs that show how Aktis is used. */
@NullMarked
package io.aktis.examples;

import org.jspecify.annotations.NullMarked;
