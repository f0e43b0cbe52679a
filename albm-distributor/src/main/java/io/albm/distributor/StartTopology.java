// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import io.albm.core.role.BindRule;
import io.albm.core.role.RoleContext;
import io.albm.core.topology.FrontendSpec;
import io.albm.core.topology.SettingsFile;
import io.albm.core.topology.Topology;
import io.albm.core.topology.TopologyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is served before anybody has changed anything: the file that was given at start, or else one frontend {@code main} (and
 * {@code main-tls} if there are certificates) over one pool {@code main}, made of the options. In the same keys as the live
 * settings, which lie over it key by key; so a live setting that is taken back gives way to the start again.
 */
final class StartTopology {
    static final String MAIN = "main";
    static final String MAIN_TLS = "main-tls";

    private StartTopology() {}

    /** @throws ConfigException if the file cannot be read, or it or the options make no topology */
    static SortedMap<String, String> settings(RoleContext context) {
        Configuration configuration = context.configuration();
        String file = configuration.get(ServingKeys.TOPOLOGY);
        SortedMap<String, String> settings = file.isBlank() ? options(context) : read(Path.of(file));
        settings.putIfAbsent(Topology.POLICY, configuration.get(ServingKeys.POLICY));
        settings.values().removeIf(String::isBlank);
        String origin = file.isBlank() ? "" : "topology " + file + ": ";
        try {
            Topology.parse(settings).frontends().values().forEach(frontend -> check(frontend, configuration));
        } catch (TopologyException | ConfigException e) {
            throw new ConfigException(origin + e.getMessage(), e);
        }
        return settings;
    }

    private static void check(FrontendSpec frontend, Configuration configuration) {
        if (frontend.bind() != null && frontend.certificates() == null) {
            BindRule.check(
                    frontend.bind().host(), configuration.get(CommonKeys.INSECURE), "frontend " + frontend.name());
        }
    }

    private static SortedMap<String, String> read(Path file) {
        try {
            return SettingsFile.read(Files.readString(file));
        } catch (IOException e) {
            throw new ConfigException("topology " + file + ": expected a text file of key = value lines", e);
        } catch (TopologyException e) {
            throw new ConfigException("topology " + file + ": " + e.getMessage(), e);
        }
    }

    private static SortedMap<String, String> options(RoleContext context) {
        Configuration configuration = context.configuration();
        SortedMap<String, String> settings = new TreeMap<>();
        frontend(MAIN, context.bind(configuration.get(ServingKeys.PORT)), configuration, settings);
        settings.put("frontend.main.clear-text-protocol", configuration.get(ServingKeys.CLEAR_TEXT));
        String certificates = configuration.get(ServingKeys.CERTIFICATES);
        if (!certificates.isBlank()) {
            frontend(MAIN_TLS, context.bind(configuration.get(ServingKeys.TLS_PORT)), configuration, settings);
            settings.put("frontend.main-tls.tls-certificates", certificates);
        }
        settings.put("pool.main.members", Role.CACHE_SERVER.id());
        settings.put("pool.main.backends", configuration.get(ServingKeys.BACKENDS));
        return settings;
    }

    private static void frontend(
            String name, NodeAddress bind, Configuration configuration, Map<String, String> settings) {
        settings.put("frontend." + name + ".bind", bind.toString());
        settings.put("frontend." + name + ".pool", MAIN);
        settings.put("frontend." + name + ".mode", configuration.get(ServingKeys.MODE));
        settings.put("frontend." + name + ".send-proxy-protocol", configuration.get(ServingKeys.SEND_PROXY));
        settings.put(
                "frontend." + name + ".accept-proxy-protocol",
                configuration.get(ServingKeys.ACCEPT_PROXY).toString());
    }
}
