// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.config.Configuration;
import io.albm.core.metrics.Metrics;
import io.albm.core.node.Member;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.FrameServer;
import io.albm.storage.FailureDomain;
import io.albm.storage.NodeSpace;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.table.ClusterStorage;
import io.albm.storage.table.RemoteFileTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One I/O node: its blocks, its port, and the care for both. */
final class StorageNodeService implements RoleService {
    private static final Logger log = LoggerFactory.getLogger(StorageNodeService.class);

    private final RoleContext context;
    private @Nullable ChunkCache cache;
    private @Nullable BlockStore store;
    private @Nullable FrameServer server;
    private @Nullable FrameClient client;
    private @Nullable NodeTable table;
    private @Nullable NodeScrubber scrubber;

    StorageNodeService(RoleContext context) {
        this.context = context;
    }

    @Override
    public Member start() throws IOException {
        Configuration configuration = context.configuration();
        cache = cache(StorageNodeConfig.cacheBytes(configuration));
        LocalDisk disk = disk(configuration.get(StorageNodeConfig.DIRECT_IO));
        BlockStore store = new BlockStore(
                disk,
                capacity(configuration, disk),
                configuration.get(StorageNodeConfig.RESERVE),
                context.transport().blocking(),
                cache,
                configuration.get(StorageNodeConfig.SPARE_FILES));
        this.store = store;
        NodeSpace space = store.space();
        RebuildMark mark = new RebuildMark(disk);
        if (space.blocks() == 0) {
            mark.set();
        }
        meters(store);
        BackgroundTurns background = new BackgroundTurns();
        server = bind(store, background);
        client = new FrameClient(context.transport());
        table = NodeTable.bind(context);
        scrubber = new NodeScrubber(
                context.id(),
                scrubbed(client, store, background),
                context.metrics(),
                new ScrubSchedule(disk, configuration.get(StorageNodeConfig.SCRUB_INTERVAL), InstantSource.system()),
                mark);
        log.info(
                "{} holds {} blocks of {} bytes in all, has room for {} bytes",
                context.data(),
                space.blocks(),
                space.used(),
                space.free());
        return context.member(
                Map.of(StripedStore.ENDPOINT, server.address(), RemoteFileTable.ENDPOINT, table.address()),
                Map.of(
                        StripedStore.CAPACITY_ATTRIBUTE,
                        Long.toString(Math.max(1, space.capacity())),
                        StripedStore.PARITY_ATTRIBUTE,
                        Integer.toString(configuration.get(StorageNodeConfig.PARITY)),
                        StripedStore.DOMAIN_ATTRIBUTE,
                        domain(configuration).value()));
    }

    private FailureDomain domain(Configuration configuration) {
        return configuration.get(StorageNodeConfig.FAILURE_DOMAIN).orElseGet(() -> FailureDomain.of(context.id()));
    }

    /** What the table does not know is removed from the disk, so nothing is looked at before it is sure which table that is. */
    @Override
    public CompletableFuture<Void> admission() {
        return Objects.requireNonNull(table).stand().thenRun(Objects.requireNonNull(scrubber)::start);
    }

    private LocalDisk disk(boolean direct) throws IOException {
        return direct
                ? new LocalDisk(
                        context.data(),
                        DirectIo.in(context.data(), context.transport().allocator()))
                : new LocalDisk(context.data());
    }

    private @Nullable ChunkCache cache(long bytes) {
        if (bytes == 0) {
            return null;
        }
        Metrics metrics = context.metrics();
        ChunkCache cache = new ChunkCache(
                bytes,
                context.transport().allocator(),
                metrics.counter(
                        "storage_cache_hits_total", "Chunks that were read from memory, or together with others."),
                metrics.counter("storage_cache_misses_total", "Chunks that were read from the disk to be kept."));
        metrics.gauge("storage_cache_bytes", "Bytes that the chunks in memory take.", cache::bytes);
        return cache;
    }

    /** What the node's scrub works on. */
    private StripedStore scrubbed(FrameClient client, BlockStore store, BackgroundTurns background) {
        StripeSettings settings = StripeSettings.DEFAULT;
        StripedStore striped = ClusterStorage.open(context.cluster(), client, settings)
                .over(nodes -> new OwnBlocks(nodes, context.id(), store, background, settings.deadline()));
        long rate = context.configuration().get(StorageNodeConfig.SCRUB_RATE);
        return rate > 0 ? striped.withRate(rate) : striped;
    }

    private static long capacity(Configuration configuration, LocalDisk disk) throws IOException {
        long configured = configuration.get(StorageNodeConfig.CAPACITY);
        return configured > 0 ? configured : disk.totalBytes();
    }

    private FrameServer bind(BlockStore store, BackgroundTurns background) {
        return BlockServer.bind(
                context.transport(),
                context.bind(context.configuration().get(StorageNodeConfig.PORT)),
                store,
                CreditService.open(ReceiveMemory.of(context.configuration()), context.transport(), context.metrics()),
                background);
    }

    private void meters(BlockStore store) {
        Metrics metrics = context.metrics();
        metrics.gauge("storage_capacity_bytes", "Bytes that blocks may take.", () -> space(store, NodeSpace::capacity));
        metrics.gauge("storage_used_bytes", "Bytes that blocks take.", () -> space(store, NodeSpace::used));
        metrics.gauge("storage_free_bytes", "Bytes that more blocks may take.", () -> space(store, NodeSpace::free));
        metrics.gauge(
                "storage_spare_bytes",
                "Bytes of files of removed blocks that are kept to be written again; they count as free.",
                store::spareBytes);
        metrics.gauge("storage_blocks", "Blocks on the node.", () -> space(store, NodeSpace::blocks));
    }

    private static double space(BlockStore store, ToLongFunction<NodeSpace> part) {
        try {
            return part.applyAsLong(store.space());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void drain(Duration bound) throws InterruptedException, ExecutionException {
        if (scrubber != null) {
            scrubber.close();
        }
        if (table != null) {
            table.close();
        }
        if (server != null) {
            try {
                server.drain().get(bound.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                log.warn("gives up {} requests in flight after {} ms", server.inFlight(), bound.toMillis());
            }
        }
        if (store != null) {
            store.settle();
        }
    }

    @Override
    public void close() {
        if (scrubber != null) {
            scrubber.close();
        }
        if (table != null) {
            table.close();
        }
        if (server != null) {
            server.close();
        }
        if (client != null) {
            client.close();
        }
        if (cache != null) {
            cache.close();
        }
    }
}
