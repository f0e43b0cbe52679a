// SPDX-License-Identifier: Apache-2.0
/**
 * How durable the striped storage's layouts are in a large cluster: a seeded simulation of nodes that fail and are
 * rebuilt, over the placement that production chooses. {@link io.albm.bench.durability.ClusterSimulation} says what is
 * simulated and how so rare a thing as a loss is estimated.
 */
@NullMarked
package io.albm.bench.durability;

import org.jspecify.annotations.NullMarked;
