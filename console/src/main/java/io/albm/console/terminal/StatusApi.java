// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.cluster.Cluster;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.Configuration;
import io.albm.core.node.NodeAddress;
import io.albm.core.web.WebHandler;
import io.albm.core.web.WebRequest;
import io.albm.core.web.WebResponse;
import java.util.Optional;
import java.util.stream.Collectors;

/** The cluster's state as JSON over HTTP, in the form of {@code albm status --json}; blocks while members are asked. */
public final class StatusApi implements WebHandler {
    private final Cluster cluster;
    private final String zooKeeper;

    public StatusApi(Cluster cluster, Configuration configuration) {
        this.cluster = cluster;
        this.zooKeeper = configuration.get(CommonKeys.ZOOKEEPER).stream()
                .map(NodeAddress::toString)
                .collect(Collectors.joining(","));
    }

    @Override
    public WebResponse handle(WebRequest request) {
        return WebResponse.json(200, new StatusReader(cluster, zooKeeper).read(Optional.empty()));
    }
}
