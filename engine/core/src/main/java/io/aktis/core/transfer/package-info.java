/** From whom a node reads an object that many nodes want at once. */
@NullMarked
package io.aktis.core.transfer;

import org.jspecify.annotations.NullMarked;
