/**
 * What users do with clusters, as tests on real processes: commands, programs, faults, bad input.
 */
@NullMarked
package io.aktis.acceptance;

import org.jspecify.annotations.NullMarked;
