// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static io.albm.distributor.routing.Views.backend;
import static io.albm.distributor.routing.Views.down;
import static io.albm.distributor.routing.Views.idle;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HashPoliciesTest {
    private static final int PATHS = 10_000;

    private final Views views = new Views(ReliefSettings.DEFAULT);
    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void aPathKeepsItsBackend() {
        Rotation rotation = rotation("hash", idles(4));

        assertThat(pick(rotation, 77)).isEqualTo(pick(rotation, 77));
    }

    @Test
    void onlyThePathsOfABackendThatIsDownMove() {
        Rotation all = rotation("hash", idles(4));
        Rotation without = rotation("hash", List.of(idle("b0"), idle("b1"), down("b2"), idle("b3")));
        for (int path = 0; path < PATHS; path++) {
            int before = pick(all, path);
            if (before != 2) {
                assertThat(pick(without, path)).isEqualTo(before);
            }
        }
    }

    @Test
    void fewPathsMoveWhenABackendJoins() {
        Rotation four = rotation("hash", idles(4));
        Rotation five = rotation("hash", idles(5));
        long moved = IntStream.range(0, PATHS)
                .filter(path -> pick(five, path) != 4 && pick(five, path) != pick(four, path))
                .count();

        assertThat(moved).isLessThan(PATHS / 20);
    }

    @Test
    void aPathThatEverybodyAsksForSpreadsWhenItsBackendHasMoreThanItsShare() {
        var backends = new ArrayList<BackendView>();
        for (int i = 0; i < 4; i++) {
            backends.add(backend("b" + i, true, new BackendLoad(), null));
        }
        Rotation rotation = rotation("bounded-load-hash", backends);
        for (int i = 0; i < 100; i++) {
            backends.get(pick(rotation, 77)).load().began(0, 0);
        }

        assertThat(backends)
                .extracting(backend -> backend.load().inFlight())
                .allSatisfy(inFlight -> assertThat(inFlight).isLessThanOrEqualTo(32))
                .anySatisfy(inFlight -> assertThat(inFlight).isGreaterThan(28));
    }

    private List<BackendView> idles(int count) {
        return IntStream.range(0, count).mapToObj(i -> idle("b" + i)).toList();
    }

    private Rotation rotation(String name, List<BackendView> backends) {
        return RoutingPolicies.create(name).rotate(views.of(backends));
    }

    private int pick(Rotation rotation, long hash) {
        return rotation.pick(Request.hashed(hash), random);
    }
}
