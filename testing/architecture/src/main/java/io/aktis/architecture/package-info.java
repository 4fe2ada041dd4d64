/** Proof of the arrows between modules and of the rules of the code base. */
@NullMarked
package io.aktis.architecture;

import org.jspecify.annotations.NullMarked;
