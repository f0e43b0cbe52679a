// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.live.LiveSettings;
import io.albm.core.topology.FrontendSpec;
import io.albm.core.topology.Priority;
import io.albm.core.topology.RouteSpec;
import io.albm.distributor.backend.BackendStatus;
import io.albm.distributor.proxy.Frontend;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a distributor serves, for people and for {@code albm topology}; the JSON of the admin route {@code /frontends}.
 *
 * @param start what the process was started with, under the live settings
 * @param settings fingerprint of the live settings in force
 * @param refused live settings that came later and are not in force, with what is wrong with them; null if there are none
 */
record TopologyStatus(
        Map<String, String> start,
        String settings,
        LiveSettings.@Nullable Refused refused,
        List<OneFrontend> frontends,
        List<OneRoute> routes,
        List<OnePool> pools) {
    /** A frontend that listens. */
    record OneFrontend(
            String name,
            String address,
            String mode,
            boolean tls,
            String pool,
            @Nullable String policy,
            int connections) {
        private static OneFrontend of(Frontends.Entry entry) {
            Frontend frontend = entry.frontend();
            FrontendSpec spec = frontend.terms().spec();
            return new OneFrontend(
                    spec.name(),
                    entry.listener().address().toString(),
                    spec.mode().id(),
                    spec.certificates() != null,
                    spec.pool(),
                    spec.policy(),
                    frontend.connections());
        }
    }

    /** A route, in the order in which they are asked. */
    record OneRoute(
            String name,
            @Nullable String frontend,
            @Nullable String host,
            @Nullable String path,
            String pool,
            String priority) {
        private static OneRoute of(RouteSpec spec) {
            Priority priority = spec.priority();
            return new OneRoute(spec.name(), spec.frontend(), spec.host(), spec.path(), spec.pool(), priority.id());
        }
    }

    /**
     * A pool.
     *
     * @param ids of its backends
     * @param serving how many of its backends take requests
     * @param waiting requests that wait for one
     */
    record OnePool(String name, String policy, int backends, List<String> ids, int serving, int waiting) {
        private static OnePool of(RunningPool pool) {
            List<BackendStatus> all = pool.directory().status().backends();
            int serving = (int) all.stream().filter(one -> one.share() > 0).count();
            return new OnePool(
                    pool.spec().name(),
                    pool.policy(),
                    all.size(),
                    all.stream().map(BackendStatus::id).toList(),
                    serving,
                    pool.queue().waiting());
        }
    }

    static TopologyStatus of(Served served, TopologySettings settings, LiveSettings live) {
        LiveSettings.State state = live.state();
        return new TopologyStatus(
                settings.start(),
                state.settings(),
                state.refused(),
                served.frontends().values().stream().map(OneFrontend::of).toList(),
                served.topology().routes().stream().map(OneRoute::of).toList(),
                served.pools().values().stream().map(OnePool::of).toList());
    }
}
