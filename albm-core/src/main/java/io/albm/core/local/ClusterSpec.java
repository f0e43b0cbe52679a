// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What a local cluster shall consist of.
 *
 * @param name of the cluster, and of its directory
 * @param base directory in which the cluster's directory is, usually {@code .albm}
 * @param docs what the cache servers serve
 * @param cacheServers how many, each with an agent
 * @param storageNodes how many
 * @param freePorts any free port for each process, instead of the documented ones
 * @param settings configuration keys of roles, beyond what the cluster needs
 */
public record ClusterSpec(
        String name,
        Path base,
        Path docs,
        int cacheServers,
        int storageNodes,
        boolean freePorts,
        Map<Role, Map<String, String>> settings) {
    /** Its name when nobody says otherwise. */
    public static final String USUAL_NAME = "albm";

    /** Its base when nobody says otherwise. */
    public static final String USUAL_BASE = ".albm";

    private static final int MOST = 99;

    public ClusterSpec {
        name = new NodeId(name).value();
        base = base.toAbsolutePath().normalize();
        docs = docs.toAbsolutePath().normalize();
        settings = Map.copyOf(settings);
        requireCount("cache servers", cacheServers);
        requireCount("storage nodes", storageNodes);
    }

    /** Three cache servers and five storage nodes on the documented ports. */
    public static ClusterSpec of(String name, Path base, Path docs) {
        return new ClusterSpec(name, base, docs, 3, 5, false, Map.of());
    }

    /** The same with any free ports: several such clusters run beside each other. */
    public ClusterSpec onFreePorts() {
        return new ClusterSpec(name, base, docs, cacheServers, storageNodes, true, settings);
    }

    /** The same with other numbers of processes. */
    public ClusterSpec sized(int otherCacheServers, int otherStorageNodes) {
        return new ClusterSpec(name, base, docs, otherCacheServers, otherStorageNodes, freePorts, settings);
    }

    /** The same with a configuration key of all processes of a role. */
    public ClusterSpec with(Role role, String key, String value) {
        Map<Role, Map<String, String>> more = new HashMap<>(settings);
        Map<String, String> ofRole = new HashMap<>(settings.getOrDefault(role, Map.of()));
        ofRole.put(key, value);
        more.put(role, Map.copyOf(ofRole));
        return new ClusterSpec(name, base, docs, cacheServers, storageNodes, freePorts, more);
    }

    /** Where the cluster keeps data, logs and its record. */
    public Path directory() {
        return base.resolve(name);
    }

    /** What a command is to be given to mean this cluster, each option behind a space; empty for the usual one. */
    String arguments() {
        return arguments(name, base);
    }

    /** As above, of a cluster of that name under that base. */
    public static String arguments(String name, Path base) {
        Path usual = Path.of(USUAL_BASE).toAbsolutePath().normalize();
        return (name.equals(USUAL_NAME) ? "" : " --cluster " + name)
                + (base.toAbsolutePath().normalize().equals(usual) ? "" : " --data " + base);
    }

    private static void requireCount(String what, int count) {
        if (count < 0 || count > MOST) {
            throw new IllegalArgumentException(count + " " + what + ": expected 0 to " + MOST);
        }
    }
}
