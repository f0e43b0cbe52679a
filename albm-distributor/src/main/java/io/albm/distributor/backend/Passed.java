// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.distributor.routing.RoutedRequest;

/** A request that a backend in slow start has let pass, so that another one is picked. */
record Passed(RoutedRequest request, String by) implements RoutedRequest {
    @Override
    public long hash() {
        return request.hash();
    }

    @Override
    public int route() {
        return request.route();
    }

    @Override
    public boolean tried(String backendId) {
        return backendId.equals(by) || request.tried(backendId);
    }

    @Override
    public long nowNanos() {
        return request.nowNanos();
    }
}
