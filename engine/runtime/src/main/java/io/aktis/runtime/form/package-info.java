/** Ids and resources in the form in which messages carry them, and back. */
@NullMarked
package io.aktis.runtime.form;

import org.jspecify.annotations.NullMarked;
