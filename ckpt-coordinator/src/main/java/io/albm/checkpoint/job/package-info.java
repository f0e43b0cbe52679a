// SPDX-License-Identifier: Apache-2.0
/**
 * The per-node supervisor of a job: starts ranks, keeps their local copies, brings them to the striped store,
 * and takes all ranks back after a death.
 */
@NullMarked
package io.albm.checkpoint.job;

import org.jspecify.annotations.NullMarked;
