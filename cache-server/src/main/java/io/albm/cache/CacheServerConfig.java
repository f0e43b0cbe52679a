// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.http.HttpSettings;
import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.policy.MeasuredReadCost.Objective;
import io.albm.cache.store.MemoryBounds;
import io.albm.cache.store.StoreSettings;
import io.albm.core.config.CommonKeys;
import io.albm.core.config.ConfigException;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.node.Role;
import io.netty.util.internal.PlatformDependent;
import java.nio.file.Path;
import java.time.Duration;

/** The cache server's keys, and what they mean to its parts. */
final class CacheServerConfig {

    private static final int ADMIN_PORT = 9101;
    private static final long GIBIBYTE = 1L << 30;

    static final Key<Integer> PORT = Key.integer("port", 8101, 0, 65_535, "HTTP port; 0 takes any free one.");
    static final Key<Path> DOCS = Key.path(
            "docs", "www", "Directory of the documents to serve; nothing outside it is. Or see 'storage', 'origin'.");
    static final Key<Long> CAPACITY = Key.size(
            "capacity", 64 << 20, 0, 1024 * GIBIBYTE, "Main memory for cached documents; a hard bound of their bytes.");
    static final Key<String> POLICY = Key.choice(
            "policy", "window-aware", EvictionPolicies.names(), "Which documents to evict when the memory is full.");
    static final Key<String> OBJECTIVE = Key.choice(
            "objective",
            Objective.OBJECT_HITS.id(),
            Objective.ids(),
            "What hits are for under window-aware and gdsf: fewest reads, or least time spent on reading.");
    static final Key<Integer> WINDOW =
            Key.integer("window", 1024, 1, 1 << 20, "Waiting requests that the policy knows of; more run uncounted.");
    static final Key<Integer> ANNOUNCED_WINDOW = Key.integer(
            "announced-window",
            0,
            0,
            1 << 20,
            "Requests waiting at distributors with announce-waiting that the policy knows of; 0 believes none. Only where all"
                    + " clients come through distributors.");
    static final Key<Duration> CHECK_INTERVAL = Key.duration(
            "check-interval",
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ofDays(1),
            "How long a document is served without a look at its file: the bound of staleness.");
    static final Key<Boolean> DIRECT_READS = Key.flag(
            "direct-reads",
            "Read documents past the kernel's page cache, so that main memory holds each once; not in a file system of memory.");
    static final Key<Integer> READERS = Key.integer("readers", 16, 1, 128, "Files read at once.");
    static final Key<Integer> READ_QUEUE = Key.integer(
            "read-queue", 1024, 0, 1 << 20, "Documents that may wait to be read; a request for one more gets 503.");
    static final Key<Integer> MAX_CONNECTIONS = Key.integer(
            "max-connections",
            HttpSettings.DEFAULTS.maxConnections(),
            1,
            1_000_000,
            "Connections at once; one more is closed.");
    static final Key<Duration> HEAD_TIMEOUT = timeout(
            "head-timeout",
            HttpSettings.DEFAULTS.headTimeout(),
            "From the first byte of a request head to its last; then 408.");
    static final Key<Duration> IDLE_TIMEOUT =
            timeout("idle-timeout", HttpSettings.DEFAULTS.idleTimeout(), "Between the requests of a connection.");
    static final Key<Duration> WRITE_TIMEOUT = timeout(
            "write-timeout",
            HttpSettings.DEFAULTS.writeTimeout(),
            "Without progress while a response is sent; then the connection is closed.");
    static final Key<Long> MIN_PROGRESS = Key.size(
            "min-progress",
            HttpSettings.DEFAULTS.minProgressBytes(),
            0,
            1 << 30,
            "What a client has to send of a request's body within idle-timeout; else 408.");
    static final Key<Boolean> SENDFILE = Key.flag(
            "sendfile",
            "Have the kernel send documents too large for memory: cheaper, but a file written in place while it is sent may be mixed.");
    static final Key<String> HOST =
            Key.text("host", "", "Id of the host whose agent reports its load; empty means the same as 'id'.");
    static final Key<Boolean> ORCA_HEADER = Key.flag(
            "orca-header",
            "Add the response header endpoint-load-metrics (ORCA), for balancers such as Envoy and gRPC.");

    private CacheServerConfig() {}

    private static Key<Duration> timeout(String name, Duration defaultValue, String doc) {
        return Key.duration(name, defaultValue, Duration.ofMillis(10), Duration.ofHours(1), doc);
    }

    static ConfigSchema schema() {
        return ConfigSchema.of(
                Role.CACHE_SERVER,
                ADMIN_PORT,
                PORT,
                DOCS,
                StorageKeys.STORAGE,
                OriginKeys.ORIGIN,
                OriginKeys.TRUST,
                OriginKeys.UNVERIFIED,
                OriginKeys.CONNECTIONS,
                OriginKeys.QUEUE,
                OriginKeys.CONNECT_TIMEOUT,
                OriginKeys.RESPONSE_TIMEOUT,
                OriginKeys.IDLE_TIMEOUT,
                OriginKeys.STALE_IF_ERROR,
                CAPACITY,
                POLICY,
                OBJECTIVE,
                WINDOW,
                ANNOUNCED_WINDOW,
                CHECK_INTERVAL,
                DIRECT_READS,
                READERS,
                READ_QUEUE,
                MAX_CONNECTIONS,
                HEAD_TIMEOUT,
                IDLE_TIMEOUT,
                WRITE_TIMEOUT,
                MIN_PROGRESS,
                SENDFILE,
                HOST,
                ORCA_HEADER);
    }

    static String host(Configuration configuration) {
        String host = configuration.get(HOST);
        return host.isEmpty() ? configuration.get(CommonKeys.ID).value() : host;
    }

    static HttpSettings http(Configuration configuration) {
        return new HttpSettings(
                configuration.get(MAX_CONNECTIONS),
                HttpSettings.DEFAULTS.pipelineDepth(),
                HttpSettings.DEFAULTS.maxHeadBytes(),
                configuration.get(HEAD_TIMEOUT),
                configuration.get(IDLE_TIMEOUT),
                configuration.get(WRITE_TIMEOUT),
                Math.toIntExact(configuration.get(MIN_PROGRESS)));
    }

    static boolean sendsFiles(Configuration configuration) {
        return configuration.get(SENDFILE);
    }

    /** The store's bounds, refused if this JVM may not have that much direct memory. */
    static StoreSettings store(Configuration configuration) {
        StoreSettings settings = new StoreSettings(
                configuration.get(CAPACITY),
                configuration.get(POLICY),
                configuration.get(WINDOW),
                configuration.get(ANNOUNCED_WINDOW),
                configuration.get(READERS),
                configuration.get(READ_QUEUE),
                configuration.get(CHECK_INTERVAL),
                configuration.get(WRITE_TIMEOUT));
        requireRoom(settings.capacityBytes(), String.valueOf(configuration.origin(CAPACITY)));
        return settings;
    }

    /**
     * Refuses a capacity for which this JVM may not have the direct memory.
     *
     * @param origin where it is set
     * @throws ConfigException that says so
     */
    static void requireRoom(long capacityBytes, String origin) {
        long needed = new MemoryBounds(capacityBytes).totalBytes();
        long available = PlatformDependent.maxDirectMemory();
        if (needed > available) {
            throw new ConfigException(
                    "capacity = %d bytes (%s) and %d bytes in transit do not fit in the %d bytes of direct memory that this JVM may use: lower the capacity, or start it with -XX:MaxDirectMemorySize=%dm"
                            .formatted(capacityBytes, origin, needed - capacityBytes, available, (needed >> 20) + 64));
        }
    }
}
