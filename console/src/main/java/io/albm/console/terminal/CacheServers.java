// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cache servers a command is about: its options, and the way to them. */
final class CacheServers {
    private static final String STATUS = "/cache";

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Option(names = "--server", paramLabel = "ID", description = "Of this cache server alone.")
    private @Nullable String server;

    LiveCluster connect() {
        return new LiveCluster(options);
    }

    /** Those that are meant and run. */
    AdminPorts ports(LiveCluster cluster) {
        return AdminPorts.of(cluster, Role.CACHE_SERVER, server);
    }

    static JsonNode status(NodeAddress admin) {
        return AdminPorts.json(admin, STATUS);
    }

    /**
     * Changes live settings and waits for what the servers make of it.
     *
     * @param changes by the names of the settings; empty for one to be as each server was started with
     */
    void change(LiveCluster cluster, SortedMap<String, Optional<String>> changes) {
        AdminPorts asked = ports(cluster);
        AtomicReference<@Nullable Map<String, String>> written = new AtomicReference<>();
        cluster.change(LiveCluster.CACHE_SERVER, before -> {
            Map<String, String> after = new TreeMap<>(before);
            changes.forEach((name, value) ->
                    value.ifPresentOrElse(given -> after.put(key(name), given), () -> after.remove(key(name))));
            written.set(after);
            return after;
        });
        Map<String, String> settings = Objects.requireNonNull(written.get());
        new Verdicts(() -> states(asked), "albm cache show")
                .await(settings, id -> new CacheSettingsInForce(settings, id).after(changes));
    }

    /** The name of a live setting: of the one server that is meant, or of all. */
    private String key(String name) {
        return server == null ? name : server + "." + name;
    }

    private static SortedMap<String, @Nullable JsonNode> states(AdminPorts asked) {
        SortedMap<String, @Nullable JsonNode> states = new TreeMap<>();
        asked.ports().forEach((id, admin) -> states.put(id, statusIfAny(admin)));
        return states;
    }

    private static @Nullable JsonNode statusIfAny(NodeAddress admin) {
        try {
            return status(admin);
        } catch (CliException e) {
            return null;
        }
    }
}
