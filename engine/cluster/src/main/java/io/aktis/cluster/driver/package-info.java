/** Sessions of a program that uses a cluster. */
@NullMarked
package io.aktis.cluster.driver;

import org.jspecify.annotations.NullMarked;
