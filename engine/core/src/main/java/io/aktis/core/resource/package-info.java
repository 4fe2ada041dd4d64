/** What nodes have and work needs: amounts, labels and the sums over them. */
@NullMarked
package io.aktis.core.resource;

import org.jspecify.annotations.NullMarked;
