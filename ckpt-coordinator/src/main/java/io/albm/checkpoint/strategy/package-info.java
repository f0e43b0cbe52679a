// SPDX-License-Identifier: Apache-2.0
/**
 * Who writes its checkpoint when: P3's schemes, as pure functions of the bandwidth there is.
 * A new scheme is one class and one line in {@link io.albm.checkpoint.strategy.CheckpointStrategies}.
 */
@NullMarked
package io.albm.checkpoint.strategy;

import org.jspecify.annotations.NullMarked;
