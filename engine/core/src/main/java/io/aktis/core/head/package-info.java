/** Whether a node is the head of its cluster: who claims that, and who has to give it up. */
@NullMarked
package io.aktis.core.head;

import org.jspecify.annotations.NullMarked;
