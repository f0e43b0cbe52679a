// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One process to start.
 *
 * @param id unique in the cluster
 * @param role what it does
 * @param heapMebibytes most heap that its JVM may use
 * @param settings its configuration, by key
 */
record ProcessSpec(String id, Role role, int heapMebibytes, Map<String, String> settings) {
    static final String PORT = "port";
    static final String ADMIN_PORT = "admin-port";

    /** Where a storage node serves the file table while it leads it. */
    private static final String TABLE = "table";

    private static final String TABLE_PORT = "table-port";

    ProcessSpec {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    ProcessSpec with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(key, value);
        return new ProcessSpec(id, role, heapMebibytes, more);
    }

    /** The same process where it listened before, so that a restart does not move it. */
    ProcessSpec at(Map<String, NodeAddress> endpoints) {
        ProcessSpec moved = this;
        for (Map.Entry<String, NodeAddress> endpoint : endpoints.entrySet()) {
            moved = moved.at(
                    endpoint.getKey(), Integer.toString(endpoint.getValue().port()));
        }
        return moved;
    }

    private ProcessSpec at(String use, String port) {
        return switch (use) {
            case Member.ADMIN -> moved(ADMIN_PORT, port);
            case TABLE -> with(TABLE_PORT, port);
            default -> moved(PORT, port);
        };
    }

    private ProcessSpec moved(String key, String port) {
        return settings.containsKey(key) ? with(key, port) : this;
    }

    /** The ports that it needs; 0 is any. */
    Map<String, Integer> ports() {
        Map<String, Integer> ports = new LinkedHashMap<>();
        for (String key : new String[] {PORT, ADMIN_PORT}) {
            String value = settings.get(key);
            if (value != null) {
                ports.put(key, Integer.valueOf(value));
            }
        }
        return ports;
    }
}
