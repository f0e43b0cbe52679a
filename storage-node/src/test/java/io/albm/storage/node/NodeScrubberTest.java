// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static io.albm.storage.node.StorageRig.UNIT;
import static io.albm.storage.node.StorageRig.content;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.metrics.Metrics;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.storage.PutMode;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node does by itself when its disk was replaced, and when it is restarted, over real sockets and disks. */
class NodeScrubberTest {
    private static final String REPLACED = "n-2";
    private static final NodeId SELF = new NodeId(REPLACED);
    private static final Duration INTERVAL = Duration.ofDays(1);

    @TempDir
    Path dir;

    private final Metrics metrics = new Metrics(Role.STORAGE_NODE, SELF);
    private StorageRig rig;
    private int blocks;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void replaceADisk() throws IOException {
        rig = StorageRig.start(dir, 5);
        rig.store().writeBytes("/f", content(160 * UNIT, 1), PutMode.CREATE);
        blocks = rig.blockFiles(REPLACED).size();
        rig.stopNode(REPLACED);
        rig.wipeDisk(REPLACED);
        rig.startNode(REPLACED);
        mark().set();
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
        metrics.close();
    }

    @Test
    void rebuildsAtOnceAndThenChecksAtAnInterval() throws IOException {
        assertThat(scrubber(rig.store()).step()).isEqualTo(INTERVAL);
        assertThat(rig.blockFiles(REPLACED)).hasSize(blocks);
        assertThat(mark().isSet()).isFalse();
    }

    @Test
    void goesOnWithARebuildInWhoseMiddleItWasKilled() throws IOException {
        AtomicInteger writes = new AtomicInteger();
        scrubber(rig.store(
                        StorageRig.SETTINGS,
                        nodes -> new DisturbedBlocks(nodes, (node, header) -> {
                            if (writes.incrementAndGet() == blocks / 2) {
                                rig.stopNode(REPLACED);
                            }
                        })))
                .step();
        assertThat(rig.blockFiles(REPLACED)).isNotEmpty().hasSizeLessThan(blocks);
        rig.startNode(REPLACED);
        assertThat(scrubber(rig.store()).step()).isEqualTo(INTERVAL);
        assertThat(rig.blockFiles(REPLACED)).hasSize(blocks);
    }

    @Test
    void triesARebuildAgainThatAnotherLostNodeHasHindered() throws IOException {
        rig.stopNode("n-4");
        NodeScrubber scrubber = scrubber(rig.store());
        assertThat(scrubber.step()).isEqualTo(Duration.ofSeconds(1));
        assertThat(scrubber.step()).isEqualTo(Duration.ofSeconds(2));
        rig.startNode("n-4");
        assertThat(scrubber.step()).isEqualTo(INTERVAL);
        assertThat(rig.blockFiles(REPLACED)).hasSize(blocks);
    }

    @Test
    void checksWhatIsDueHoweverOftenItIsRestarted() throws IOException {
        scrubber(rig.store()).step();
        flipABit();
        now = now.plus(INTERVAL.dividedBy(2));
        assertThat(scrubber(rig.store()).step()).as("after a restart").isEqualTo(INTERVAL.dividedBy(2));
        assertThat(scrubber(rig.store()).step()).as("after another one").isEqualTo(INTERVAL.dividedBy(2));
        now = now.plus(INTERVAL.dividedBy(2));
        NodeScrubber due = scrubber(rig.store());
        assertThat(due.step()).isEqualTo(Duration.ZERO);
        assertThat(due.step()).isEqualTo(INTERVAL);
        assertThat(rig.store().scrub(Set.of(SELF), progress -> {}).clean())
                .as("repaired by then")
                .isTrue();
    }

    @Test
    void checksAtOnceWhenTheClockWasSetBackOrTheNoteOfTheLastCheckIsTorn() throws IOException {
        scrubber(rig.store()).step();
        now = now.minus(INTERVAL);
        assertThat(scrubber(rig.store()).step()).isEqualTo(Duration.ZERO);
        now = now.plus(INTERVAL);
        Files.writeString(rig.disk(REPLACED).resolve("scrub/through"), "");
        assertThat(scrubber(rig.store()).step()).isEqualTo(Duration.ZERO);
    }

    private void flipABit() throws IOException {
        Path block = rig.blockFiles(REPLACED).getFirst();
        byte[] bytes = Files.readAllBytes(block);
        bytes[5000] ^= 1;
        Files.write(block, bytes);
    }

    private NodeScrubber scrubber(StripedStore store) throws IOException {
        return new NodeScrubber(SELF, store, metrics, new ScrubSchedule(disk(), INTERVAL, () -> now), mark());
    }

    private RebuildMark mark() throws IOException {
        return new RebuildMark(disk());
    }

    private BlockDisk disk() throws IOException {
        return new LocalDisk(rig.disk(REPLACED));
    }
}
