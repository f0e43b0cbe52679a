// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.core.node.NodeId;
import io.albm.storage.FailureDomain;
import io.albm.storage.FileTable;
import io.albm.storage.LiveNodes;
import io.albm.storage.LockOwner;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableRequest;
import io.albm.storage.fuse.OpenFlags;
import io.albm.storage.table.TableState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A whole storage in this process: five nodes unless told otherwise, and a file table in main memory, for as many mounts as a test wants. */
public final class LocalStorage {
    public static final int NODES = 5;
    static final OpenFlags WRITE = new OpenFlags(2, false);
    static final LockOwner OWNER = new LockOwner(LockOwner.Kind.POSIX, 1);
    static final int STRIPE_BYTES = 4 * 64 * 1024;

    private static final StripeSettings SETTINGS = new StripeSettings(64 * 1024, 4, 1, 3, Duration.ofSeconds(5));

    final MemoryBlocks blocks = new MemoryBlocks();

    /** What happens while an answer of the table is on its way. */
    volatile Consumer<TableRequest<?>> onTheWay = request -> {};

    final TableState table;
    private final Map<NodeId, FailureDomain> domains;
    private final StripeSettings settings;
    private int mounts;

    /** @param maxInodes how many the table takes */
    public LocalStorage(long maxInodes) {
        this(maxInodes, NODES, SETTINGS);
    }

    /** @param nodes how many there are, each a failure domain by itself */
    public LocalStorage(long maxInodes, int nodes, StripeSettings settings) {
        this(
                maxInodes,
                IntStream.range(0, nodes)
                        .mapToObj(node -> new NodeId("n-" + node))
                        .collect(Collectors.toMap(node -> node, FailureDomain::of)),
                settings);
    }

    /** @param domains all nodes, and what they fail with */
    public LocalStorage(long maxInodes, Map<NodeId, FailureDomain> domains, StripeSettings settings) {
        this.table = new TableState(maxInodes);
        this.settings = settings;
        this.domains = domains;
    }

    public List<NodeId> nodes() {
        return domains.keySet().stream().sorted().toList();
    }

    private LiveNodes live() {
        Map<NodeId, Double> weights = domains.keySet().stream().collect(Collectors.toMap(node -> node, node -> 1.0));
        return new LiveNodes() {
            @Override
            public Map<NodeId, Double> weights() {
                return weights;
            }

            @Override
            public FailureDomain domain(NodeId node) {
                return domains.getOrDefault(node, FailureDomain.of(node));
            }
        };
    }

    public MemoryBlocks blocks() {
        return blocks;
    }

    /** The file system of one more client. */
    public StripedFileSystem mount() {
        return mount(table -> table);
    }

    /** @param between what stands between the client and the file table */
    StripedFileSystem mount(UnaryOperator<FileTable> between) {
        return mount(between, Duration.ofSeconds(10));
    }

    /** @param patience how long an operation waits for the storage */
    StripedFileSystem mount(UnaryOperator<FileTable> between, Duration patience) {
        return new StripedFileSystem(files(between), patience);
    }

    /** Opens a file as the kernel does, which has looked before. @return the handle */
    static long open(StripedFileSystem by, long inode, OpenFlags flags) throws IOException, InterruptedException {
        by.getattr(inode, OptionalLong.empty());
        return by.open(inode, flags).handle();
    }

    /** The store as one more client sees it. */
    public StripedFiles files() {
        return files(table -> table);
    }

    private StripedFiles files(UnaryOperator<FileTable> between) {
        return new StripedFiles(
                between.apply(new LocalTable(table, "client-" + mounts++, request -> onTheWay.accept(request))),
                blocks,
                live(),
                settings,
                new Random());
    }
}
