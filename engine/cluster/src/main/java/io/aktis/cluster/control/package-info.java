/** What outlives a head: the store in which it writes down what the next one has to know. */
@NullMarked
package io.aktis.cluster.control;

import org.jspecify.annotations.NullMarked;
