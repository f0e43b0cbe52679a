// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import java.time.Duration;

/**
 * How long ZooKeeper keeps a silent process in the cluster.
 *
 * @param sessionTimeout 100 ms to 60 s, and the server's own limits; a process that was killed is gone for others after
 *     this time, one that pauses longer loses its membership for a moment
 * @param patience how long a read or a commit waits for a connection before it fails
 */
public record SessionSettings(Duration sessionTimeout, Duration patience) {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** Survives the pauses of a busy machine; a killed process is gone within six seconds. */
    public static final SessionSettings DEFAULT = new SessionSettings(Duration.ofSeconds(6), Duration.ofSeconds(6));

    public SessionSettings {
        if (sessionTimeout.compareTo(SHORTEST) < 0 || sessionTimeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("session timeout " + sessionTimeout + ": expected 100 ms to 60 s");
        }
    }
}
