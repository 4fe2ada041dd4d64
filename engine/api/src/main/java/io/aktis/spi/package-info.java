/** What an engine implements to stand behind the front door; found with the service loader. */
@NullMarked
package io.aktis.spi;

import org.jspecify.annotations.NullMarked;
