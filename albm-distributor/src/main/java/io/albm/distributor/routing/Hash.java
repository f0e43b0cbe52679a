// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.List;

/** Each path to the backend that had it before: a cache for every document, and no document in two caches. */
final class Hash implements RoutingPolicy {
    private final HashOwners owners = new HashOwners();

    @Override
    public Rotation rotate(RoutingView view) {
        return new HashRotation(view, owners.of(view), _ -> true);
    }

    /** Remembers the table while the set of backends stays. */
    static final class HashOwners {
        private List<String> ids = List.of();
        private MaglevTable table = new MaglevTable(List.of(""));

        MaglevTable of(RoutingView view) {
            List<String> now = view.backends().stream().map(BackendView::id).toList();
            if (!now.equals(ids) && !now.isEmpty()) {
                table = new MaglevTable(now);
                ids = now;
            }
            return table;
        }
    }
}
