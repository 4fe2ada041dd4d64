/** One task as its owner sees it: its states, its attempts and its retry budgets. */
@NullMarked
package io.aktis.core.task;

import org.jspecify.annotations.NullMarked;
