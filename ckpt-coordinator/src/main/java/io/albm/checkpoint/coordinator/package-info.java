// SPDX-License-Identifier: Apache-2.0
/**
 * The coordinator role: leads the checkpoints of all jobs while it is elected.
 */
@NullMarked
package io.albm.checkpoint.coordinator;

import org.jspecify.annotations.NullMarked;
