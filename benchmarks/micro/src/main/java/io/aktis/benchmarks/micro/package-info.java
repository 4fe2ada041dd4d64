/** Micro-benchmarks of single operations, with JMH. */
@NullMarked
package io.aktis.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
