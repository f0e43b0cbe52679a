// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.storage.FileInfo;
import io.albm.storage.PutMode;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedInputStream;
import io.albm.storage.StripedStore;
import io.albm.storage.fuse.OpenFlags;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** While a file is read, more of its units move to other nodes than may be lost. */
final class MovedUnitsTest {
    private static final int UNIT = 64 * 1024;
    private static final int STRIPE_NODES = 5;
    private static final int MOVED = 2;
    /** Units from which on nodes are away, and are there again: what lies between is read ahead before. */
    private static final int LOST = 6;

    private static final int FOUND = 10;

    private final LocalStorage storage = new LocalStorage(
            10, STRIPE_NODES + MOVED, new StripeSettings(UNIT, STRIPE_NODES - 1, 1, 3, Duration.ofSeconds(5)));
    private final StripedStore store = new StripedStore(storage.files());
    private final byte[] content = new byte[100 * UNIT + 7];
    private final FileInfo file;

    MovedUnitsTest() throws IOException {
        new Random(3).nextBytes(content);
        file = store.writeBytes("/f", content, PutMode.CREATE);
    }

    @Test
    void aMountReadsOnWhereTheyAre() throws Exception {
        StripedFileSystem mount = storage.mount();
        long handle = LocalStorage.open(mount, file.inode(), new OpenFlags(0, false));
        ByteBuffer target = ByteBuffer.allocate(content.length);
        mount.read(file.inode(), handle, 0, target.limit(UNIT));
        move();
        mount.read(file.inode(), handle, UNIT, target.limit(content.length));
        assertThat(target.array()).isEqualTo(content);
        mount.end();
    }

    @Test
    void aStreamReadsOnWhereTheyAre() throws IOException {
        try (StripedInputStream in = store.open("/f")) {
            byte[] start = in.readNBytes(UNIT);
            move();
            assertThat(start).isEqualTo(Arrays.copyOf(content, UNIT));
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, UNIT, content.length));
        }
    }

    /** It is not told that somebody has changed the file. */
    @Test
    void whoReadsWhatIsLostIsToldSo() throws IOException {
        try (StripedInputStream in = store.open("/f")) {
            move();
            firstOf(store.stat("/f").orElseThrow()).forEach(storage.blocks()::lose);
            assertThatExceptionOfType(StorageException.DataLost.class).isThrownBy(in::readAllBytes);
        }
    }

    @Test
    void aStreamSkipsNothingThatCannotBeReadForAWhile() throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (StripedInputStream in = store.open("/f")) {
            read.write(in.readNBytes(UNIT));
            firstOf(file).forEach(storage.blocks()::lose);
            for (int time = 0; time < 2; time++) {
                assertThatExceptionOfType(StorageException.class).isThrownBy(() -> in.transferTo(read));
            }
            firstOf(file).forEach(storage.blocks()::find);
            in.transferTo(read);
        }
        assertThat(read.toByteArray()).isEqualTo(content);
    }

    @Test
    void aMountReadsWhatCouldNotBeReadAheadForAWhile() throws Exception {
        StripedFileSystem mount = storage.mount();
        long handle = LocalStorage.open(mount, file.inode(), new OpenFlags(0, false));
        ByteBuffer target = ByteBuffer.allocate(content.length);
        for (int unit = 0; target.position() < content.length; unit++) {
            if (unit == LOST) {
                firstOf(file).forEach(storage.blocks()::lose);
            } else if (unit == FOUND) {
                firstOf(file).forEach(storage.blocks()::find);
            }
            int at = target.position();
            mount.read(file.inode(), handle, at, target.limit(Math.min(at + UNIT, content.length)));
        }
        assertThat(target.array()).isEqualTo(content);
        mount.end();
    }

    private void move() throws IOException {
        Iterator<NodeId> free = storage.nodes().stream()
                .filter(node -> !file.nodes().contains(node))
                .iterator();
        for (NodeId node : firstOf(file)) {
            assertThat(store.replace(node, free.next(), progress -> {}).whole()).isTrue();
        }
    }

    private static List<NodeId> firstOf(FileInfo file) {
        return file.nodes().stream().limit(MOVED).toList();
    }
}
