// SPDX-License-Identifier: Apache-2.0
/**
 * Paper P3's experiment over shaped links: the schemes of {@link io.albm.checkpoint.strategy.CheckpointStrategies} decide
 * who writes when, and real clients write to real storage nodes.
 */
@NullMarked
package io.albm.bench.multistripe;

import org.jspecify.annotations.NullMarked;
