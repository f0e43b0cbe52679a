// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.config.ConfigException;
import io.albm.core.config.ConfigSchema;
import io.albm.core.config.Configuration;
import io.albm.core.config.Key;
import io.albm.core.config.Units;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import io.albm.storage.FailureDomain;
import io.albm.storage.StripeGeometry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The keys of a storage node. */
final class StorageNodeConfig {
    static final Key<Integer> PORT =
            Key.integer("port", 8200, 0, 65_535, "Port that serves blocks; 0 takes any free one.");
    static final Key<Integer> TABLE_PORT = Key.integer(
            "table-port",
            0,
            0,
            65_535,
            "Port that serves the file table while this node leads it; 0 takes any free one.");
    static final Key<List<NodeAddress>> TABLE_ZOOKEEPER = Key.addressesOrNone(
            "table-zookeeper",
            "ZooKeeper servers that hold the file table, the same for all storage nodes, if they are not the cluster's: then"
                    + " many new names do not keep membership waiting.");
    static final Key<Long> CAPACITY = Key.size(
            "capacity", 0, 0, Long.MAX_VALUE, "How much all blocks may take; 0 means all that the disk has free.");
    static final Key<Long> RESERVE = Key.size(
            "reserve", 64L << 20, 0, Long.MAX_VALUE, "How much of the disk stays free; a write beyond it is refused.");
    static final Key<Long> SPARE_FILES = Key.size(
            "spare-files",
            SpareFiles.DEFAULT_BYTES,
            0,
            1L << 40,
            "How much of the files of removed blocks is kept to be written again, which costs less than new files do; it counts as"
                    + " free, and goes when the room is needed. 0 removes them at once.");
    static final Key<Long> RECEIVE_MEMORY = Key.size(
            "receive-memory",
            0,
            0,
            Long.MAX_VALUE,
            "Blocks of all clients that the node has in memory, or has said it would take, at a time; 0 means a quarter of the"
                    + " direct memory that the JVM may use beside its cache, 16 to 256 MiB. Less than the disk writes within a second or two: what"
                    + " waits longer in a node is given up by its client.");
    static final Key<Boolean> DIRECT_IO = Key.flag(
            "direct-io",
            "Write and read blocks past the kernel's page cache, which stays with what others keep there: for disks that are"
                    + " fast, and where nobody reads soon what was written.");
    static final Key<Long> CACHE = Key.size(
            "cache",
            64L << 20,
            0,
            1L << 40,
            "Memory for what was read, with direct-io; 0 keeps nothing. Without direct-io the kernel's page cache does that.");
    static final Key<Integer> PARITY = Key.integer(
            "parity",
            1,
            0,
            StripeGeometry.MAX_PARITY_UNITS,
            "Parity units of what is stored without saying how many: so many nodes may be lost at once. The same on all"
                    + " nodes; the highest counts.");
    static final Key<Optional<FailureDomain>> FAILURE_DOMAIN = FailureDomain.key(
            "What the node fails with, such as its rack: no domain gets more units of a stripe than may be lost, as far as"
                    + " there are others. Empty: the node is one by itself.");
    static final Key<Duration> SCRUB_INTERVAL = Key.duration(
            "scrub-interval",
            Duration.ofDays(1),
            Duration.ofSeconds(1),
            Duration.ofDays(365),
            "How often the node checks all its blocks and repairs what is missing or corrupt.");
    static final Key<Long> SCRUB_RATE = Key.size(
            "scrub-rate",
            0,
            0,
            Long.MAX_VALUE,
            "Bytes per second that nodes read, write and verify at most for this node's checks and repairs; 0 means as fast as"
                    + " they go that let all others go first.");
    static final ConfigSchema SCHEMA = ConfigSchema.of(
            Role.STORAGE_NODE,
            9200,
            PORT,
            TABLE_PORT,
            TABLE_ZOOKEEPER,
            CAPACITY,
            RESERVE,
            SPARE_FILES,
            RECEIVE_MEMORY,
            DIRECT_IO,
            CACHE,
            PARITY,
            FAILURE_DOMAIN,
            SCRUB_INTERVAL,
            SCRUB_RATE);

    private StorageNodeConfig() {}

    /**
     * Bytes of memory for what was read.
     *
     * @throws ConfigException if some were asked for where the kernel keeps it
     */
    static long cacheBytes(Configuration configuration) {
        boolean direct = configuration.get(DIRECT_IO);
        if (!direct && configuration.isChosen(CACHE) && configuration.get(CACHE) > 0) {
            throw new ConfigException(
                    "cache = '%s' (%s): expected direct-io = true beside it; without that the kernel's page cache keeps"
                                    .formatted(Units.text(configuration.get(CACHE)), configuration.origin(CACHE))
                            + " what was read, so leave cache out");
        }
        return direct ? configuration.get(CACHE) : 0;
    }
}
