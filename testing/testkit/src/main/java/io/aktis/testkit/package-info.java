/** What tests of Aktis programs need: engines per test, awaiting with a deadline, leak checks. */
@NullMarked
package io.aktis.testkit;

import org.jspecify.annotations.NullMarked;
