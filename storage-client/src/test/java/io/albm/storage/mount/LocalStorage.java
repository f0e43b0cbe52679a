// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.core.node.NodeId;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableRequest;
import io.albm.storage.table.TableState;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A whole storage in this process: five nodes and a file table in main memory, for as many mounts as a test wants. */
public final class LocalStorage {
    public static final int NODES = 5;
    static final int STRIPE_BYTES = 4 * 64 * 1024;

    private static final StripeSettings SETTINGS = new StripeSettings(64 * 1024, 4, 1, 3, Duration.ofSeconds(5));
    private static final Map<NodeId, Double> WEIGHTS =
            IntStream.range(0, NODES).boxed().collect(Collectors.toMap(node -> new NodeId("n-" + node), node -> 1.0));

    final MemoryBlocks blocks = new MemoryBlocks();

    /** What happens while an answer of the table is on its way. */
    volatile Consumer<TableRequest<?>> onTheWay = request -> {};

    final TableState table;
    private int mounts;

    /** @param maxInodes how many the table takes */
    public LocalStorage(long maxInodes) {
        table = new TableState(maxInodes);
    }

    /** The file system of one more client. */
    public StripedFileSystem mount() {
        StripedFiles files = new StripedFiles(
                new LocalTable(table, "client-" + mounts++, request -> onTheWay.accept(request)),
                blocks,
                () -> WEIGHTS,
                SETTINGS,
                new Random());
        return new StripedFileSystem(files, Duration.ofSeconds(10));
    }
}
