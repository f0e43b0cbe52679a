// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import io.albm.core.text.Nearest;
import java.util.Arrays;
import java.util.List;

/** What a process of the cluster does. */
public enum Role {
    AGENT("agent"),
    DISTRIBUTOR("distributor"),
    CACHE_SERVER("cache-server"),
    STORAGE_NODE("storage-node"),
    COORDINATOR("coordinator"),
    JOB_HOST("job-host"),
    PLACEMENT("placement"),
    CONSOLE("console"),
    ZOOKEEPER("zookeeper");

    private final String id;

    Role(String id) {
        this.id = id;
    }

    /** The name in commands, configuration, metrics and ZooKeeper paths. */
    public String id() {
        return id;
    }

    /** The names of all roles. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(Role::id).toList();
    }

    /**
     * The role of that name.
     *
     * @throws IllegalArgumentException if there is none; the message suggests the nearest
     */
    public static Role parse(String id) {
        return Arrays.stream(values())
                .filter(role -> role.id.equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown role '" + id + "': expected one of "
                        + String.join(", ", ids()) + Nearest.hint(id, ids())));
    }

    @Override
    public String toString() {
        return id;
    }
}
