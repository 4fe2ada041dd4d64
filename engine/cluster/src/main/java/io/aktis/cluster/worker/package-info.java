/** The worker process: runs the code of one job. */
@NullMarked
package io.aktis.cluster.worker;

import org.jspecify.annotations.NullMarked;
