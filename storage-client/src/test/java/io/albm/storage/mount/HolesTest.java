// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static io.albm.storage.mount.MountedFiles.OLD;
import static io.albm.storage.mount.MountedFiles.READ;
import static io.albm.storage.mount.MountedFiles.ROOT;
import static io.albm.storage.mount.MountedFiles.WRITE;
import static io.albm.storage.mount.MountedFiles.assertFails;
import static io.albm.storage.mount.MountedFiles.close;
import static io.albm.storage.mount.MountedFiles.created;
import static io.albm.storage.mount.MountedFiles.stored;
import static io.albm.storage.mount.MountedFiles.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.fuse.Allocation;
import io.albm.storage.fuse.AttributeChange;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a file is told as a hole: only what surely nobody has written. */
final class HolesTest {
    /** Bytes of a shortest file that has holes: shorter ones are in the file table as they are. */
    private static final int LEAST = 5000;

    private static final int MOST = 12_000;
    private static final int ROUNDS = 25;
    private static final int CHANGES_PER_ROUND = 4;
    private static final long GIGABYTE = 1 << 30;

    private final LocalStorage storage = new LocalStorage(100);
    private final StripedFileSystem mount = storage.mount();
    private final StripedFileSystem other = storage.mount();
    private final BitSet written = new BitSet();
    private int size;

    @AfterEach
    void end() throws Exception {
        mount.end();
        other.end();
    }

    private static void resize(StripedFileSystem by, long inode, long handle, long size) throws Exception {
        OptionalInt same = OptionalInt.empty();
        Optional<Instant> none = Optional.empty();
        by.setattr(
                inode,
                new AttributeChange(
                        same, same, same, OptionalLong.of(size), none, none, none, OptionalLong.of(handle), false));
    }

    /** A file of a gigabyte with three bytes in its middle. */
    private long sparse() throws Exception {
        Created created = created(mount, "sparse");
        long inode = created.attributes().inode();
        long handle = created.opened().handle();
        resize(mount, inode, handle, GIGABYTE);
        write(mount, inode, handle, GIGABYTE / 2, "abc");
        close(mount, inode, handle);
        return inode;
    }

    private static long data(StripedFileSystem by, long inode, long handle, long offset) throws Exception {
        return by.seek(inode, handle, offset, false);
    }

    private static long hole(StripedFileSystem by, long inode, long handle, long offset) throws Exception {
        return by.seek(inode, handle, offset, true);
    }

    @Test
    void tellsDataAndHoles() throws Exception {
        long inode = sparse();
        long handle = LocalStorage.open(mount, inode, READ);

        assertThat(data(mount, inode, handle, 0)).isEqualTo(GIGABYTE / 2);
        assertThat(data(mount, inode, handle, GIGABYTE / 2 + 1)).isEqualTo(GIGABYTE / 2 + 1);
        assertThat(hole(mount, inode, handle, 7)).isEqualTo(7);
        assertThat(hole(mount, inode, handle, GIGABYTE / 2)).isEqualTo(GIGABYTE / 2 + 3);
        assertFails(Errno.ENXIO, () -> data(mount, inode, handle, GIGABYTE / 2 + 3));
        assertFails(Errno.ENXIO, () -> data(mount, inode, handle, GIGABYTE));
        assertFails(Errno.ENXIO, () -> hole(mount, inode, handle, GIGABYTE));
        assertFails(Errno.ENXIO, () -> hole(mount, inode, handle, Long.MAX_VALUE));
    }

    @Test
    void aFileWithoutHolesEndsWithOne() throws Exception {
        for (String content : new String[] {"in the file table", OLD}) {
            long inode = stored(mount, "f", content);
            long handle = LocalStorage.open(mount, inode, READ);
            assertThat(data(mount, inode, handle, 3)).isEqualTo(3);
            assertThat(hole(mount, inode, handle, 3)).isEqualTo(content.length());
            mount.unlink(ROOT, "f");
        }
    }

    @Test
    void anEmptyFileHasNeither() throws Exception {
        long inode = stored(mount, "empty", "");
        long handle = LocalStorage.open(mount, inode, READ);
        assertFails(Errno.ENXIO, () -> data(mount, inode, handle, 0));
        assertFails(Errno.ENXIO, () -> hole(mount, inode, handle, 0));
    }

    @Test
    void allIsDataWhileSomebodyMayWrite() throws Exception {
        long inode = sparse();
        long reader = LocalStorage.open(mount, inode, READ);
        long writer = LocalStorage.open(mount, inode, WRITE);
        long another = LocalStorage.open(mount, inode, WRITE);
        mount.fsync(inode, another, false);

        for (long left : new long[] {writer, another}) {
            for (long by : new long[] {reader, another}) {
                assertThat(data(mount, inode, by, 5)).isEqualTo(5);
                assertThat(hole(mount, inode, by, 5)).isEqualTo(GIGABYTE);
                assertFails(Errno.ENXIO, () -> data(mount, inode, by, GIGABYTE));
                assertFails(Errno.ENXIO, () -> hole(mount, inode, by, GIGABYTE));
            }
            close(mount, inode, left);
        }
        assertThat(data(mount, inode, reader, 5)).isEqualTo(GIGABYTE / 2);
    }

    @Test
    void allIsDataWhileThereAreChangesThatNobodyStores() throws Exception {
        long inode = sparse();
        long reader = LocalStorage.open(mount, inode, READ);
        long writer = LocalStorage.open(mount, inode, WRITE);
        mount.unlink(ROOT, "sparse");
        write(mount, inode, writer, 10, "x");
        close(mount, inode, writer);

        assertThat(data(mount, inode, reader, 10)).isEqualTo(10);
        assertThat(hole(mount, inode, reader, 0)).isEqualTo(GIGABYTE);
    }

    @Test
    void failsAsReadingDoesWhenChangesWereLost() throws Exception {
        long inode = sparse();
        long reader = LocalStorage.open(mount, inode, READ);
        long writer = LocalStorage.open(mount, inode, WRITE);
        write(mount, inode, writer, 10, "x".repeat(5000));
        storage.blocks.setFull(true);
        assertFails(Errno.ENOSPC, () -> mount.release(inode, writer));
        assertFails(Errno.ENOSPC, () -> data(mount, inode, reader, 0));
    }

    @Test
    void whatAnotherMountHasPutBehindTheEndIsNoHoleForWhoKnowsTheSize() throws Exception {
        long inode = stored(mount, "f", OLD);
        long reader = LocalStorage.open(mount, inode, READ);
        long writer = LocalStorage.open(other, inode, WRITE);
        write(other, inode, writer, 20_000, "more");
        close(other, inode, writer);

        assertThat(hole(mount, inode, reader, 0)).isEqualTo(OLD.length());
        assertFails(Errno.ENXIO, () -> data(mount, inode, reader, OLD.length()));
        assertThat(mount.getattr(inode, OptionalLong.of(reader)).size()).isEqualTo(20_004);
        assertThat(data(mount, inode, reader, OLD.length())).isEqualTo(20_000);
    }

    @Test
    void nothingIsFoundBehindTheEndThatAnotherMountHasCutTo() throws Exception {
        long inode = sparse();
        long reader = LocalStorage.open(mount, inode, READ);
        long writer = LocalStorage.open(other, inode, WRITE);
        resize(other, inode, writer, LEAST);
        close(other, inode, writer);

        assertThat(mount.getattr(inode, OptionalLong.of(reader)).size()).isEqualTo(LEAST);
        assertThat(hole(mount, inode, reader, 0)).isZero();
        assertFails(Errno.ENXIO, () -> data(mount, inode, reader, 0));
        assertFails(Errno.ENXIO, () -> hole(mount, inode, reader, LEAST));
    }

    /** Against a bit for each byte that says whether it was written. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void tellsWhatWasWritten(long seed) throws Exception {
        Random random = new Random(seed);
        long inode = stored(mount, "f", "");
        long reader = LocalStorage.open(mount, inode, READ);
        for (int round = 0; round < ROUNDS; round++) {
            long writer = LocalStorage.open(mount, inode, WRITE);
            for (int change = 0; change < CHANGES_PER_ROUND || size < LEAST; change++) {
                change(inode, writer, random);
            }
            assertThat(hole(mount, inode, reader, 0)).isEqualTo(size);
            close(mount, inode, writer);
            assertTellsWhatWasWritten(mount, inode, reader, "round " + round);
        }
        assertTellsWhatWasWritten(other, inode, LocalStorage.open(other, inode, READ), "elsewhere");
    }

    private void change(long inode, long writer, Random random) throws Exception {
        int offset = random.nextInt(MOST - 1);
        int length = 1 + random.nextInt(Math.min(1500, MOST - offset));
        switch (random.nextInt(6)) {
            case 0 -> {
                size = LEAST + random.nextInt(MOST - LEAST);
                resize(mount, inode, writer, size);
                written.clear(size, MOST);
            }
            case 1 -> {
                mount.fallocate(inode, writer, offset, length, Allocation.PUNCH_HOLE, true);
                written.clear(offset, offset + length);
            }
            case 2 -> {
                mount.fallocate(inode, writer, offset, length, Allocation.ZERO, false);
                written.clear(offset, offset + length);
                size = Math.max(size, offset + length);
            }
            case 3 -> mount.fsync(inode, writer, false);
            default -> {
                byte[] bytes = new byte[length];
                Arrays.fill(bytes, (byte) random.nextInt(2));
                mount.write(inode, writer, offset, ByteBuffer.wrap(bytes), WRITE);
                written.set(offset, offset + length);
                size = Math.max(size, offset + length);
            }
        }
    }

    private void assertTellsWhatWasWritten(StripedFileSystem by, long inode, long handle, String when)
            throws Exception {
        for (int offset = 0; offset <= size; offset++) {
            int next = written.nextSetBit(offset);
            assertThat(found(by, inode, handle, offset, false))
                    .as("data from %d, %s", offset, when)
                    .isEqualTo(offset < size ? next : -1);
            assertThat(found(by, inode, handle, offset, true))
                    .as("hole from %d, %s", offset, when)
                    .isEqualTo(offset < size ? Math.min(written.nextClearBit(offset), size) : -1);
        }
    }

    private static long found(StripedFileSystem by, long inode, long handle, long offset, boolean hole)
            throws Exception {
        try {
            return by.seek(inode, handle, offset, hole);
        } catch (ErrnoException none) {
            assertThat(none.errno()).isEqualTo(Errno.ENXIO);
            return -1;
        }
    }
}
