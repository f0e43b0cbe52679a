// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.checkpoint.strategy.Politeness;

/**
 * What is simulated.
 *
 * @param ranks one on each node
 * @param stateBytes of each rank
 * @param scheme as in the coordinator's registry
 * @param groupSize of schemes with groups
 */
record Job(int ranks, long stateBytes, String scheme, int groupSize, Politeness politeness, Links links) {}
