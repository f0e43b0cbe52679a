// SPDX-License-Identifier: Apache-2.0
/**
 * What a checkpoint of a large job costs its coordinator: production's coordinator and supervisor protocol, pacer and strategies
 * over simulated ranks, links, coordination and striped store. {@link io.albm.bench.scale.SimulatedCluster} puts them together.
 */
@NullMarked
package io.albm.bench.scale;

import org.jspecify.annotations.NullMarked;
