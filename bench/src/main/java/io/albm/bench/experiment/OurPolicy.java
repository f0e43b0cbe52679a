// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.process.LiveRouting;
import io.albm.core.node.NodeAddress;

/**
 * A policy of the distributor, chosen live.
 *
 * @param name of the policy
 * @param routing of the distributor
 * @param http where the distributor serves
 */
record OurPolicy(String name, LiveRouting routing, NodeAddress http) implements Variant {
    @Override
    public boolean rival() {
        return false;
    }

    @Override
    public NodeAddress select() throws InterruptedException {
        routing.choose(name);
        routing.awaitBackends(Fleet.SERVERS);
        return http;
    }
}
