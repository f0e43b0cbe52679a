// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.fuse.Allocation;
import io.albm.storage.fuse.AttributeChange;
import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.OpenFlags;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file that is changed in thousands of places. */
final class ManyPiecesTest {
    private static final int SIZE = 160_000;
    private static final int GAP = 16;
    private static final int WRITES_PER_SYNC = 200;
    private static final long MOST_STORED = (64 << 20) + 2 * SIZE + 1;

    private final LocalStorage storage = new LocalStorage(10);
    private final StripedFileSystem mount = storage.mount();
    private final byte[] model = new byte[SIZE];
    private long inode;
    private long handle;

    @BeforeEach
    void create() throws Exception {
        Created created =
                mount.create(new Caller(0, 0, 1), InodeFileSystem.ROOT, "file", 0100644, new OpenFlags(2, false));
        inode = created.attributes().inode();
        handle = created.opened().handle();
        write(0, SIZE);
        mount.fsync(inode, handle, false);
    }

    @AfterEach
    void release() throws Exception {
        mount.release(inode, handle);
    }

    private void write(int offset, int length) throws Exception {
        byte[] bytes = new byte[length];
        new Random(offset).nextBytes(bytes);
        mount.write(inode, handle, offset, ByteBuffer.wrap(bytes), LocalStorage.WRITE);
        System.arraycopy(bytes, 0, model, offset, length);
    }

    private void scatter(int writes) throws Exception {
        int[] places = new Random(1).ints(writes, 0, SIZE / GAP).toArray();
        for (int i = 0; i < writes; i++) {
            write(places[i] * GAP, 1);
            if (i % WRITES_PER_SYNC == WRITES_PER_SYNC - 1) {
                mount.fsync(inode, handle, false);
            }
        }
    }

    private void resize(int size) throws Exception {
        OptionalInt same = OptionalInt.empty();
        Optional<Instant> none = Optional.empty();
        mount.setattr(
                inode,
                new AttributeChange(
                        same, same, same, OptionalLong.of(size), none, none, none, OptionalLong.of(handle), false));
    }

    private Content stored() {
        Inode now = ((TableAnswer.Known) storage.table.answer(new TableQuery.Get(inode))).inode();
        return Objects.requireNonNull(now.content());
    }

    private void changeFromElsewhere() throws Exception {
        StripedFileSystem other = storage.mount();
        long there = LocalStorage.open(other, inode, new OpenFlags(2, false));
        for (int at = GAP / 2; at < SIZE; at += 4 * GAP) {
            model[at] = 77;
            other.write(inode, there, at, ByteBuffer.wrap(new byte[] {77}), LocalStorage.WRITE);
        }
        other.fsync(inode, there, false);
        other.release(inode, there);
    }

    private void checkFromElsewhere() throws Exception {
        StripedFileSystem other = storage.mount();
        long there = LocalStorage.open(other, inode, new OpenFlags(0, false));
        ByteBuffer target = ByteBuffer.allocate(SIZE);
        other.read(inode, there, 0, target);
        other.release(inode, there);
        assertThat(Arrays.mismatch(target.array(), model)).isEqualTo(-1);
    }

    @Test
    void staysInSoManyAndIsNotWrittenAsAWhole() throws Exception {
        scatter(8000);

        Content content = stored();
        assertThat(content.extents()).hasSizeBetween(3000, 4800);
        assertThat(content.segments()).hasSizeGreaterThan(10);
        checkFromElsewhere();
    }

    @Test
    void isCutOffAndHasHoles() throws Exception {
        scatter(6000);
        mount.fallocate(inode, handle, 10_000, 5_000, Allocation.PUNCH_HOLE, true);
        Arrays.fill(model, 10_000, 15_000, (byte) 0);
        scatter(1000);
        resize(SIZE - 10_000);
        resize(SIZE);
        Arrays.fill(model, SIZE - 10_000, SIZE, (byte) 0);
        mount.fsync(inode, handle, false);

        checkFromElsewhere();
    }

    @Test
    void keepsWhatAnotherMountHasStoredMeanwhile() throws Exception {
        scatter(4000);
        changeFromElsewhere();

        write(100, 3);
        mount.fsync(inode, handle, false);

        checkFromElsewhere();
    }

    @Test
    void isCopiedOnceItHoldsMuchThatNobodySees() throws Exception {
        int length = waste(MOST_STORED);
        write(0, length);
        mount.fsync(inode, handle, false);

        assertThat(stored().segments()).hasSize(1);
        checkFromElsewhere();
    }

    @Test
    void isNotCopiedOverWhatAnotherMountHasStoredMeanwhile() throws Exception {
        int length = waste(MOST_STORED - SIZE);
        StripedFileSystem other = storage.mount();
        long there = LocalStorage.open(other, inode, new OpenFlags(2, false));
        other.write(inode, there, 10, ByteBuffer.wrap(new byte[] {77}), LocalStorage.WRITE);
        write(0, length);
        mount.fsync(inode, handle, false);
        other.fsync(inode, there, false);
        other.release(inode, there);
        model[10] = 77;

        write(0, 1);
        mount.fsync(inode, handle, false);

        checkFromElsewhere();
    }

    /** Leaves a byte of each of many segments, until they have more than so many bytes. @return what to write next */
    private int waste(long bytes) throws Exception {
        int length = SIZE - 1;
        while (stored().storedBytes() <= bytes) {
            write(0, length--);
            mount.fsync(inode, handle, false);
        }
        return length;
    }

    @Test
    void takesMoreChangesThanOneCommandCanSay() throws Exception {
        for (int at = 0; at < SIZE; at += GAP) {
            write(at, 1);
        }
        mount.fsync(inode, handle, false);

        assertThat(stored().extents()).hasSizeLessThanOrEqualTo(10_000);
        checkFromElsewhere();
    }

    /** Leaves it in more pieces than a mount does by itself. */
    private void shred() throws Exception {
        Segment segment = Segment.ofInline("%032x".formatted(1), new InlineBytes(new byte[1]));
        List<Extent> ranges = IntStream.range(0, 4250)
                .mapToObj(i -> new Extent((long) GAP * i + 1, 1, segment.generation(), 0))
                .toList();
        TableCommand.Change change =
                new TableCommand.Change(inode, null, null, List.of(), segment, ranges, 0, null, false);
        storage.table.apply("another client", change, Instant.now());
        mount.release(inode, LocalStorage.open(mount, inode, new OpenFlags(0, false)));
        assertThat(stored().extents()).hasSize(8501);
    }

    @Test
    void isEmptiedHoweverManyPiecesItIsIn() throws Exception {
        shred();
        resize(0);
        mount.fsync(inode, handle, false);

        assertThat(stored()).isEqualTo(Content.EMPTY);
    }

    @Test
    void isNotWrittenAsAWholeForPiecesThatAreCutOff() throws Exception {
        shred();
        resize(0);
        resize(SIZE);
        mount.fsync(inode, handle, false);

        assertThat(stored().length()).isEqualTo(SIZE);
        assertThat(stored().segments()).isEmpty();
    }
}
