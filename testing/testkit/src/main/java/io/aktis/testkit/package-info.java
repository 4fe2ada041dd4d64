/**
 * What tests of Aktis programs need: an engine per test whose leaks are found, doors and notes to
 * meet the code of tasks, awaiting with a deadline, and faults.
 */
@NullMarked
package io.aktis.testkit;

import org.jspecify.annotations.NullMarked;
