// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableQuery;
import io.albm.storage.fuse.Allocation;
import io.albm.storage.fuse.AttributeChange;
import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file against an array, by random operations with closing, syncing and another mount's eyes: what fsx does. */
final class StripedContentTest {
    private static final int LONG = 12 << 20;

    /** What the file table takes is shorter. */
    private static final int SHORT = 10_000;

    private static final int OPERATIONS = 3000;
    private static final int READ_WRITE = 2;

    private final LocalStorage storage = new LocalStorage(10);
    private final StripedFileSystem mount = storage.mount();
    private final StripedFileSystem other = storage.mount();
    private byte[] model = new byte[0];
    private int most;
    private int size;
    private long inode;
    private long handle;

    @ParameterizedTest
    @CsvSource({"1, " + LONG, "2, " + LONG, "3, " + LONG, "4, " + SHORT, "5, " + SHORT, "6, " + SHORT})
    void isWhatItsWritersMadeIt(long seed, int bytes) throws Exception {
        most = bytes;
        model = new byte[most];
        Random random = new Random(seed);
        Created created = mount.create(
                new Caller(0, 0, 1), InodeFileSystem.ROOT, "file", 0100644, new OpenFlags(READ_WRITE, false));
        inode = created.attributes().inode();
        handle = created.opened().handle();
        for (int step = 0; step < OPERATIONS; step++) {
            String what = "seed " + seed + ", step " + step;
            int offset = random.nextInt(random.nextInt(4) == 0 ? most : most / 50);
            step(random, random.nextInt(96), offset, what);
            assertThat(mount.getattr(inode, OptionalLong.of(handle)).size())
                    .as(what)
                    .isEqualTo(size);
        }
        mount.flush(inode, handle, LocalStorage.OWNER);
        checkFromElsewhere("at the end, seed " + seed);
        mount.release(inode, handle);
        assertThat(storage.blocks.count()).isEqualTo(blocks());
    }

    private void step(Random random, int operation, int offset, String what) throws IOException, InterruptedException {
        int length = 1 + random.nextInt(Math.min(100_000, most - offset));
        switch (operation) {
            case 0 -> fromStart(random);
            case 1, 2, 3, 4 -> resize(random.nextInt(3) == 0 ? 0 : offset, OptionalLong.of(handle));
            case 5, 6, 7 -> resize(offset, OptionalLong.empty());
            case 8, 9, 10 -> mount.fsync(inode, handle, false);
            case 11, 12, 13 -> reopen(random, what);
            case 14, 15, 16, 17 -> zero(offset, length, Allocation.ZERO, random.nextBoolean());
            case 18, 19, 20, 21 -> zero(offset, length, Allocation.PUNCH_HOLE, true);
            case 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 -> write(random, size, Math.min(length, most - size));
            case 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47 -> write(random, offset, length);
            default -> check(mount, handle, offset, length, what);
        }
    }

    private void resize(int newSize, OptionalLong by) throws IOException, InterruptedException {
        mount.setattr(
                inode,
                new AttributeChange(
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        OptionalLong.of(newSize),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        by,
                        false));
        Arrays.fill(model, Math.min(size, newSize), most, (byte) 0);
        size = newSize;
    }

    private void reopen(Random random, String what) throws IOException, InterruptedException {
        mount.flush(inode, handle, LocalStorage.OWNER);
        checkFromElsewhere(what);
        mount.release(inode, handle);
        boolean truncates = random.nextInt(4) == 0;
        handle = LocalStorage.open(mount, inode, new OpenFlags(READ_WRITE | (truncates ? 01000 : 0), false));
        if (truncates) {
            Arrays.fill(model, (byte) 0);
            size = 0;
        }
    }

    private void zero(int offset, int length, Allocation how, boolean keepsSize)
            throws IOException, InterruptedException {
        mount.fallocate(inode, handle, offset, length, how, keepsSize);
        Arrays.fill(model, offset, offset + length, (byte) 0);
        size = keepsSize ? size : Math.max(size, offset + length);
    }

    /** Long enough to be sent ahead. */
    private void fromStart(Random random) throws IOException, InterruptedException {
        resize(0, OptionalLong.of(handle));
        int end = random.nextInt(most / 2, most);
        for (int at = 0; at < end; at = size) {
            write(random, at, Math.min(end - at, 1 << 20));
        }
    }

    private void write(Random random, int offset, int length) throws IOException, InterruptedException {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        mount.write(inode, handle, offset, ByteBuffer.wrap(bytes), LocalStorage.WRITE);
        System.arraycopy(bytes, 0, model, offset, length);
        size = Math.max(size, length == 0 ? 0 : offset + length);
    }

    private void checkFromElsewhere(String what) throws IOException, InterruptedException {
        long there = LocalStorage.open(other, inode, new OpenFlags(0, false));
        check(other, there, 0, most, what + ", from elsewhere");
        other.release(inode, there);
        assertThat(other.getattr(inode, OptionalLong.empty()).size()).as(what).isEqualTo(size);
    }

    private void check(StripedFileSystem by, long opened, int offset, int length, String what)
            throws IOException, InterruptedException {
        ByteBuffer target = ByteBuffer.allocate(length);
        by.read(inode, opened, offset, target);
        int expected = Math.clamp(size - offset, 0, length);
        assertThat(target.position()).as(what).isEqualTo(expected);
        assertThat(Arrays.mismatch(target.array(), 0, expected, model, offset, offset + expected))
                .as(what)
                .isEqualTo(-1);
    }

    /** Nothing is left of what the file does not need. */
    private long blocks() {
        Inode now = ((TableAnswer.Known) storage.table.answer(new TableQuery.Get(inode))).inode();
        return Objects.requireNonNull(now.content()).segments().stream()
                .mapToLong(segment -> segment.nodes().stream()
                        .mapToLong(node -> segment.layout().blocksOn(node, segment.length()))
                        .sum())
                .sum();
    }
}
