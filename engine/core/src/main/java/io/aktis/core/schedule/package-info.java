/** Where work should run: nodes as an owner sees them, strategies, and the planner that decides. */
@NullMarked
package io.aktis.core.schedule;

import org.jspecify.annotations.NullMarked;
