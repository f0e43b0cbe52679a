// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.savings.CheckpointPages;
import io.albm.checkpoint.savings.PageCheck;
import io.albm.checkpoint.savings.PageSource;
import io.albm.checkpoint.savings.PageTarget;
import io.albm.checkpoint.savings.StateRestore;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** What a restart takes from a copy on another host, and what it does not believe. */
class RemoteCopyTest {
    private static final int PAGE = 4096;
    private static final int SIZE = 2 * CopyRange.MOST_BYTES + PAGE + 9;
    private static final NodeAddress KEEPER = new NodeAddress("127.0.0.1", 1);
    private static final long CHECKPOINT = 3;

    private final byte[] state = new byte[SIZE];
    private final byte[] result = new byte[SIZE];
    private final List<CopyRange> asked = new ArrayList<>();
    private final StateRestore restore = restore();

    @Test
    void givesTheWholeStateWithEveryRangeAskedForOnce() throws IOException {
        assertThat(restore.takeFrom(copyOf(state))).isEqualTo(SIZE);
        assertThat(result).isEqualTo(state);
        assertThat(restore.missingBytes()).isZero();
        assertThat(asked)
                .extracting(CopyRange::offset)
                .containsExactly(0L, (long) CopyRange.MOST_BYTES, 2L * CopyRange.MOST_BYTES);
        assertThat(asked).allSatisfy(range -> assertThat(range.rank()).isEqualTo(7));
    }

    @Test
    void asksOnlyForWhatNoLocalCopyHas() throws IOException {
        byte[] local = state.clone();
        local[CopyRange.MOST_BYTES + 5]++;
        restore.takeFrom(PageSource.of(local));
        assertThat(restore.takeFrom(copyOf(state))).isEqualTo(PAGE);
        assertThat(asked).extracting(CopyRange::offset).containsExactly((long) CopyRange.MOST_BYTES);
        assertThat(result).isEqualTo(state);
    }

    @Test
    void aSpoiltPageIsNotTaken() throws IOException {
        byte[] spoilt = state.clone();
        spoilt[5 * PAGE + 1]++;
        assertThat(restore.takeFrom(copyOf(spoilt))).isEqualTo(SIZE - PAGE);
        assertThat(restore.missingBytes()).isEqualTo(PAGE);
    }

    @Test
    void aCopyOfAnotherStateGivesNothing() throws IOException {
        assertThat(restore.takeFrom(copyOf(random(2)))).isZero();
        assertThat(restore.missingBytes()).isEqualTo(SIZE);
    }

    @Test
    void ofATornCopyWhatIsThereIsTaken() throws IOException {
        assertThat(restore.takeFrom(copyOf(Arrays.copyOf(state, 10 * PAGE + 100))))
                .isEqualTo(10 * PAGE);
        assertThat(restore.missingBytes()).isEqualTo(SIZE - 10 * PAGE);
    }

    @Test
    void aHostThatIsLostOnTheWayIsNotAskedAgain() throws IOException {
        RemoteCopy copy = new RemoteCopy(
                (from, range) -> {
                    asked.add(range);
                    if (range.offset() > 0) {
                        throw new IOException("nobody answers");
                    }
                    return read(state, range);
                },
                KEEPER,
                CHECKPOINT,
                7);
        assertThat(restore.takeFrom(copy)).isEqualTo(CopyRange.MOST_BYTES);
        assertThat(asked).hasSize(2);
        assertThat(copy.read(0, new byte[1], 1)).as("nor for what it had").isZero();
    }

    private RemoteCopy copyOf(byte[] bytes) {
        return new RemoteCopy(
                (from, range) -> {
                    assertThat(from).isEqualTo(KEEPER);
                    assertThat(range.checkpoint()).isEqualTo(CHECKPOINT);
                    asked.add(range);
                    return read(bytes, range);
                },
                KEEPER,
                CHECKPOINT,
                7);
    }

    private static byte[] read(byte[] bytes, CopyRange range) {
        int from = (int) Math.min(range.offset(), bytes.length);
        return Arrays.copyOfRange(bytes, from, Math.min(from + range.length(), bytes.length));
    }

    private StateRestore restore() {
        byte[] random = random(1);
        System.arraycopy(random, 0, state, 0, SIZE);
        CRC32C crc = new CRC32C();
        crc.update(state);
        try {
            CheckpointPages pages = new CheckpointPages(CHECKPOINT, new JobPaths("job"));
            return new StateRestore(
                    pages.plan(7, PageSource.of(state), SIZE, new LocalCopy(SIZE, crc.getValue()))
                            .index(),
                    PageTarget.of(result),
                    PageCheck.byHash());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] random(long seed) {
        byte[] bytes = new byte[SIZE];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }
}
