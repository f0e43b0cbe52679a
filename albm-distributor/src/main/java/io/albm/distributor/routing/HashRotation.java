// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.random.RandomGenerator;

/**
 * The owner of the request's hash, or if that one may not or should not take it, the owner of the next place: other
 * hashes keep theirs. After {@link #MAX_PROBES} places the first that may take it does.
 */
final class HashRotation implements Rotation {
    /** Whether a backend has room for one more. */
    @FunctionalInterface
    interface Room {
        boolean in(BackendLoad load);
    }

    private static final int MAX_PROBES = 64;

    private final RoutingView view;
    private final Candidates candidates;
    private final MaglevTable table;
    private final Room room;

    HashRotation(RoutingView view, MaglevTable table, Room room) {
        this.view = view;
        this.candidates = Candidates.of(view.backends());
        this.table = table;
        this.room = room;
    }

    @Override
    public int pick(RoutedRequest request, RandomGenerator random) {
        if (candidates.size() == 0) {
            return NONE;
        }
        int place = MaglevTable.place(request.hash());
        for (int probe = 0; probe < MAX_PROBES; probe++) {
            int owner = table.owner((place + probe) % MaglevTable.PLACES);
            BackendView backend = view.backends().get(owner);
            if (backend.available()
                    && !backend.load().isFull()
                    && !request.tried(backend.id())
                    && room.in(backend.load())) {
                return owner;
            }
        }
        return candidates.answer(candidates.firstOpen(place % candidates.size(), request));
    }
}
