// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.Set;

/** A request as tests make them, of this and of other packages. */
public record Request(long hash, int route, Set<String> tries, long nowNanos) implements RoutedRequest {
    public static final Request PLAIN = tried(Set.of());

    static Request tried(Set<String> ids) {
        return new Request(0, DEFAULT_ROUTE, ids, Views.START_NANOS);
    }

    static Request hashed(long hash) {
        return at(hash, Views.START_NANOS);
    }

    static Request at(long hash, long nowNanos) {
        return new Request(hash, DEFAULT_ROUTE, Set.of(), nowNanos);
    }

    @Override
    public boolean tried(String backendId) {
        return tries.contains(backendId);
    }
}
