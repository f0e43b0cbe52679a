// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** The backends of one view that may be picked, numbered from 0. Immutable. */
final class Candidates {
    static final int NOBODY = -1;

    private final BackendView[] views;
    private final int[] indexes;

    private Candidates(BackendView[] views, int[] indexes) {
        this.views = views;
        this.indexes = indexes;
    }

    /** All that are available. */
    static Candidates of(List<BackendView> all) {
        return of(all, BackendView::available);
    }

    /** All that fulfil the condition. */
    static Candidates of(List<BackendView> all, Predicate<BackendView> mayServe) {
        int[] indexes = IntStream.range(0, all.size())
                .filter(i -> mayServe.test(all.get(i)))
                .toArray();
        return new Candidates(IntStream.of(indexes).mapToObj(all::get).toArray(BackendView[]::new), indexes);
    }

    List<String> ids() {
        return Arrays.stream(views).map(BackendView::id).toList();
    }

    int size() {
        return views.length;
    }

    BackendView view(int candidate) {
        return views[candidate];
    }

    BackendLoad load(int candidate) {
        return views[candidate].load();
    }

    /** What a rotation answers for that candidate. */
    int answer(int candidate) {
        return candidate == NOBODY ? Rotation.NONE : indexes[candidate];
    }

    /** Whether it has room for one more, and the request has not failed there. */
    boolean mayTake(int candidate, RoutedRequest request) {
        return !views[candidate].load().isFull() && !request.tried(views[candidate].id());
    }

    /** The first from there on, going round, that may take the request, or {@link #NOBODY}. */
    int firstOpen(int from, RoutedRequest request) {
        for (int step = 0; step < views.length; step++) {
            int candidate = (from + step) % views.length;
            if (mayTake(candidate, request)) {
                return candidate;
            }
        }
        return NOBODY;
    }
}
