/** Names that jobs of a cluster share: whose they are, and who asks for them. */
@NullMarked
package io.aktis.core.name;

import org.jspecify.annotations.NullMarked;
