// SPDX-License-Identifier: Apache-2.0
/**
 * Decides which backend gets a request: pure policies over an immutable view of the backends.
 * A new policy is one class here and one line in {@link io.albm.distributor.routing.RoutingPolicies}.
 */
@NullMarked
package io.albm.distributor.routing;

import org.jspecify.annotations.NullMarked;
