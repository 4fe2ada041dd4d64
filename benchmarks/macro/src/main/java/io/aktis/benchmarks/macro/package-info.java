/**
 * Loads that exercise the whole engine, measured side by side with the JDK and with Ray.
 *
 * <p>A {@code Load} is one kind of work with a name, a unit and a budget. Each side that can do it
 * gives a {@code Probe}, which measures one window at a time; {@code CoreBench} opens the probes of
 * a load and takes their windows in turn, so that whatever else the machine does hits all alike.
 */
@NullMarked
package io.aktis.benchmarks.macro;

import org.jspecify.annotations.NullMarked;
