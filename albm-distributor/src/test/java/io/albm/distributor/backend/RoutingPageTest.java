// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeAddress;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.routing.Relief;
import io.albm.distributor.routing.ReliefSettings;
import io.albm.distributor.routing.Request;
import io.albm.distributor.routing.Rotation;
import io.albm.distributor.routing.RouteCosts;
import io.albm.distributor.routing.RoutedRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingPageTest {
    private static final int PICKS = 10_000;
    private final RandomGenerator random = new SplittableRandom(1);
    private Runnable beforeAnswer = () -> {};

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.5, 1})
    void aBackendInSlowStartTakesItsShareOfWhatThePolicyGivesIt(double share) {
        RoutingPage page = page(new Standing.Serving(share), new Standing.Serving(1));

        assertThat(picksOfFirst(page)).isBetween((int) (PICKS * (share - 0.02)), (int) (PICKS * (share + 0.02)));
    }

    @Test
    void aBackendInSlowStartThatIsAloneTakesAll() {
        assertThat(picksOfFirst(page(new Standing.Serving(0.1)))).isEqualTo(PICKS);
    }

    @Test
    void aRequestMayWaitOnlyIfABackendThatMayTakeItIsFull() {
        RoutingPage page = page(new Standing.Serving(1));
        page.backends().getFirst().load().limitTo(1);
        page.backends().getFirst().begin(Request.PLAIN);
        assertThat(page.choose(Request.PLAIN, random)).isSameAs(Backend.FULL);

        RoutingPage none = page(new Standing.Down("ill"));
        none.backends().getFirst().load().limitTo(1);
        none.backends().getFirst().begin(Request.PLAIN);
        assertThat(none.choose(Request.PLAIN, random)).isNull();
    }

    @Test
    void aPlaceThatBecomesFreeWhileItIsAskedForIsTaken() {
        RoutingPage page = page(new Standing.Serving(1));
        Backend backend = page.backends().getFirst();
        backend.load().limitTo(1);
        long ticket = backend.begin(Request.PLAIN);
        beforeAnswer = () -> backend.end(ticket, Outcome.ANSWERED, 0, 0);

        assertThat(page.choose(Request.PLAIN, random)).isSameAs(backend);
    }

    private int picksOfFirst(RoutingPage page) {
        int first = 0;
        for (int i = 0; i < PICKS; i++) {
            if (page.choose(Request.PLAIN, random) == page.backends().getFirst()) {
                first++;
            }
        }
        return first;
    }

    /** A policy that picks the first that may be picked. */
    private RoutingPage page(Standing... standings) {
        List<Backend> backends = new ArrayList<>();
        for (int i = 0; i < standings.length; i++) {
            backends.add(new Backend("b" + i, new NodeAddress("127.0.0.1", 1 + i), 1, (_, _) -> {}, new RouteCosts()));
        }
        return new RoutingPage(
                backends,
                List.of(standings),
                new Rotation() {
                    @Override
                    public int pick(RoutedRequest request, RandomGenerator chance) {
                        for (int i = 0; i < backends.size(); i++) {
                            if (!backends.get(i).load().isFull()
                                    && !request.tried(backends.get(i).id())) {
                                return i;
                            }
                        }
                        beforeAnswer.run();
                        beforeAnswer = () -> {};
                        return NONE;
                    }

                    @Override
                    public Map<String, Relief> relieved() {
                        return Map.of();
                    }
                },
                new RoutingStatus(
                        "first", ReliefSettings.DEFAULT.thresholds().levels(), false, new TreeMap<>(), List.of()));
    }
}
