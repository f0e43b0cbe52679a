// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.distributor.routing.Relief;
import io.albm.distributor.routing.Rotation;
import io.albm.distributor.routing.RoutedRequest;
import io.albm.distributor.routing.RoutingPolicies;
import io.albm.distributor.routing.RoutingPolicy;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One policy over a pool's backends. A pool has as many as its frontends use policies; all see the same {@link Census}, and
 * the requests of one count in the loads that the others see. Choosing is for every event loop; the rest is for the
 * directory's thread.
 */
final class Balancer implements BackendChooser {
    private static final Logger LOG = LoggerFactory.getLogger(Balancer.class);

    private final String name;
    private final RoutingPolicy policy;
    private final BackendChooser successor;
    private Map<String, Relief> relieved = Map.of();
    private volatile RoutingPage page;
    private volatile boolean retired;

    /**
     * A balancer that has seen the census.
     *
     * @param successor who chooses for the requests that still hold this one after it is retired
     * @throws IllegalArgumentException if there is no policy of that name
     */
    Balancer(String name, Census census, BackendChooser successor) {
        this.name = name;
        this.policy = RoutingPolicies.create(name);
        this.successor = successor;
        this.page = turned(census);
    }

    String name() {
        return name;
    }

    RoutingPage page() {
        return page;
    }

    /** Lets the policy see the pool as it is now. */
    void turn(Census census) {
        page = turned(census);
    }

    private RoutingPage turned(Census census) {
        Rotation rotation = policy.rotate(census.view());
        logRelief(rotation.relieved());
        return census.page(name, rotation);
    }

    private void logRelief(Map<String, Relief> now) {
        now.forEach((id, why) -> {
            if (!relieved.containsKey(id)) {
                LOG.warn("backend {} is relieved: {} = {}", id, why.counter(), why.value());
            }
        });
        relieved.keySet().stream()
                .filter(id -> !now.containsKey(id))
                .forEach(id -> LOG.info("backend {} is no longer relieved", id));
        relieved = now;
    }

    /** Nobody begins with it any more. */
    void retire() {
        retired = true;
        page.backends().forEach(backend -> backend.load().unfollow(policy));
    }

    @Override
    public @Nullable Backend choose(RoutedRequest request, RandomGenerator random) {
        return retired ? successor.choose(request, random) : page.choose(request, random);
    }

    @Override
    public String whyNone() {
        return successor.whyNone();
    }
}
