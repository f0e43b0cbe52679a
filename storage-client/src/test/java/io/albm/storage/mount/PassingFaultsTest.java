// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.storage.FileInfo;
import io.albm.storage.PutMode;
import io.albm.storage.StorageException;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a mount reads while as many nodes have lost what they had as may, and others fail for a moment. */
final class PassingFaultsTest {
    private final LocalStorage storage = new LocalStorage(100);
    private final MemoryBlocks blocks = storage.blocks;
    private final byte[] content = new byte[4 * LocalStorage.STRIPE_BYTES];
    private final FileInfo file;

    PassingFaultsTest() throws IOException {
        new Random(3).nextBytes(content);
        file = new StripedStore(storage.files()).writeBytes("/f", content, PutMode.CREATE);
    }

    private NodeId nodeOf(int unit) {
        return file.content().segments().getFirst().layout().nodeOf(0, unit);
    }

    private byte[] read(StripedFileSystem by) throws IOException, InterruptedException {
        long handle = LocalStorage.open(by, file.inode(), MountedFiles.READ);
        try {
            ByteBuffer read = ByteBuffer.allocate(content.length);
            by.read(file.inode(), handle, 0, read);
            return read.array();
        } finally {
            by.release(file.inode(), handle);
        }
    }

    @Test
    void aNodeThatCannotBeReachedForAMomentIsAskedAgain() throws Exception {
        blocks.lose(nodeOf(0));
        for (int i = 0; i < 12; i++) {
            blocks.failNext(new StorageException.NodeUnreachable(nodeOf(1), "for a moment"));
        }
        assertThat(read(storage.mount())).isEqualTo(content);
    }

    @Test
    void whatIsLostIsToldWhenTheMomentIsOver() {
        blocks.lose(nodeOf(0));
        blocks.lose(nodeOf(1));
        StripedFileSystem mount = storage.mount(table -> table, Duration.ofMillis(200));
        assertThatExceptionOfType(StorageException.DataLost.class)
                .isThrownBy(() -> read(mount))
                .withMessageContainingAll(
                        "stripe 0", nodeOf(0).value(), nodeOf(1).value());
    }

    @Test
    void whatCanBeReadIsThereBeforeItIsRepaired() throws Exception {
        CompletableFuture<Void> repaired = new CompletableFuture<>();
        int before = blocks.count();
        blocks.wipe(nodeOf(0));
        blocks.holdSeals(repaired);
        StripedFileSystem mount = storage.mount(table -> table, Duration.ofSeconds(5));
        assertThat(read(mount)).isEqualTo(content);
        assertThat(blocks.count()).isEqualTo(before);
        repaired.complete(null);
        mount.end();
    }
}
