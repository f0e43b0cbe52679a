// SPDX-License-Identifier: Apache-2.0
/**
 * Who writes its checkpoint when, and how fast I/O nodes take it: P3's schemes and the credit window, as pure classes.
 * A new scheme is one class and one line in {@link io.albm.checkpoint.strategy.CheckpointStrategies}.
 */
@NullMarked
package io.albm.checkpoint.strategy;

import org.jspecify.annotations.NullMarked;
