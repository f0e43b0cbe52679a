// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import org.jspecify.annotations.Nullable;

/**
 * A backend as a policy sees it. Everything but its load is fixed when the view is made.
 *
 * @param id unique in its view, and the same backend in every view
 * @param available whether health checks, agent and operator all let it take new requests
 * @param weight how much it should take against the others where a policy heeds it, above 0; 1 unless the operator said
 *     otherwise
 * @param load what this distributor has with it, read at each pick
 * @param report the host's last report; null if it never came or is too old to be believed
 */
public record BackendView(
        String id,
        boolean available,
        double weight,
        BackendLoad load,
        @Nullable HostReport report) {
    public BackendView {
        if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("weight " + weight + " of backend " + id + ": expected above 0");
        }
    }
}
