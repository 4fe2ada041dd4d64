/** Loads that exercise the whole engine, measured side by side with the JDK. */
@NullMarked
package io.aktis.benchmarks.macro;

import org.jspecify.annotations.NullMarked;
