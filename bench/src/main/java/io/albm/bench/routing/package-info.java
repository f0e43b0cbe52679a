// SPDX-License-Identifier: Apache-2.0
/**
 * A discrete-event simulation of paper P1's service, in which the distributor's own policy classes decide.
 * {@link io.albm.bench.routing.ServerModel} says what is modelled and why.
 */
@NullMarked
package io.albm.bench.routing;

import org.jspecify.annotations.NullMarked;
