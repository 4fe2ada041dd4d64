/** The semantics of the engine as one suite of tests, run against each way to deploy it. */
@NullMarked
package io.aktis.conformance;

import org.jspecify.annotations.NullMarked;
