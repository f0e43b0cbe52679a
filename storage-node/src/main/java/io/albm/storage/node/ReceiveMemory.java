// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.netty.util.internal.PlatformDependent;

/** How much {@link StorageNodeConfig#RECEIVE_MEMORY} comes to in this JVM. */
final class ReceiveMemory {
    /** What a slow disk writes well within the time that a client waits for it. */
    private static final long MOST_USUAL = 256 << 20;

    /** Netty's pool rounds a block with its frame up, to twice as much at worst. */
    private static final int ROUNDING = 2;

    private static final int USUAL_SHARE = 4;

    private ReceiveMemory() {}

    /** @throws ConfigException if it is too little for a block, or more than this JVM may have beside its cache */
    static long of(Configuration configuration) {
        return of(
                configuration.get(StorageNodeConfig.RECEIVE_MEMORY),
                configuration.origin(StorageNodeConfig.RECEIVE_MEMORY),
                PlatformDependent.maxDirectMemory(),
                StorageNodeConfig.cacheBytes(configuration));
    }

    static long of(long configured, String origin, long directMemory, long cache) {
        long left = Math.max(0, directMemory - cache);
        long bytes = configured > 0 ? configured : Math.clamp(left / USUAL_SHARE, CreditDesk.LEAST_MEMORY, MOST_USUAL);
        if (bytes < CreditDesk.LEAST_MEMORY || bytes > left / ROUNDING) {
            long needed = Math.max(bytes, CreditDesk.LEAST_MEMORY) * ROUNDING + cache;
            throw new ConfigException(
                    "receive-memory = %d bytes (%s): expected at least %d, and at most half of the %d bytes of direct memory that this JVM may use beside its cache of %d: set another amount, or start it with -XX:MaxDirectMemorySize=%dm"
                            .formatted(bytes, origin, CreditDesk.LEAST_MEMORY, left, cache, (needed >> 20) + 1));
        }
        return bytes;
    }
}
