// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.LostDataException;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.Pack;
import io.albm.checkpoint.protocol.PackId;
import io.albm.checkpoint.protocol.StoredUnit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a state to indexes and packs and back, over ranks and generations. */
class StateTest {
    private static final int PAGE = 4096;
    private static final int WINDOW = 4 << 20;
    private static final JobPaths PATHS = new JobPaths("job");

    private final Map<PackId, byte[]> packs = new HashMap<>();
    private final Map<String, byte[]> indexes = new HashMap<>();

    @ParameterizedTest
    @ValueSource(ints = {0, 1, PAGE - 1, PAGE, PAGE + 1, 64 * PAGE, 64 * PAGE + 1, 1_000_001})
    void comesBackAsItWas(int size) throws IOException {
        byte[] state = random(1, size);
        StoredUnit unit = store(new CheckpointPages(1, PATHS), 1, 0, state);
        assertThat(restored(unit)).isEqualTo(state);
    }

    @Test
    void storesNoZeros() throws IOException {
        byte[] state = new byte[100 * PAGE];
        StoredUnit unit = store(new CheckpointPages(1, PATHS), 1, 0, state);
        assertThat(unit.own().bytes()).isZero();
        assertThat(restored(unit)).isEqualTo(state);
    }

    @Test
    void storesAPageOnceForAllRanks() throws IOException {
        CheckpointPages pages = new CheckpointPages(1, PATHS);
        byte[] state = random(1, 100 * PAGE);
        byte[] other = concat(random(2, 3 * PAGE), state);
        store(pages, 1, 0, state);
        StoredUnit unit = store(pages, 1, 1, other);
        assertThat(unit.own().pageBytes()).isEqualTo(3 * PAGE);
        assertThat(unit.usedBytes()).isEqualTo(3 * PAGE);
        assertThat(restored(unit)).isEqualTo(other);
    }

    @Test
    void storesWhatHasChangedSinceTheBase() throws IOException {
        byte[] state = random(1, 200 * PAGE);
        StoredUnit base = store(new CheckpointPages(8, PATHS), 8, 0, state);
        state[77 * PAGE + 5]++;
        CheckpointPages pages = based(9, base);
        StoredUnit next = store(pages, 9, 0, state);
        assertThat(next.own().pageBytes()).isEqualTo(PAGE);
        assertThat(next.usedBytes()).isEqualTo(200 * PAGE);
        assertThat(next.earlier()).containsExactly(base.own());
        assertThat(restored(next)).isEqualTo(state);
        StoredUnit unchanged = store(based(10, next), 10, 0, state);
        assertThat(unchanged.own().bytes()).isZero();
        assertThat(unchanged.earlier()).containsExactlyInAnyOrder(base.own(), next.own());
        assertThat(restored(unchanged)).isEqualTo(state);
    }

    @Test
    void aSecondTryWritesTheSameBytes() throws IOException {
        CheckpointPages pages = new CheckpointPages(1, PATHS);
        byte[] state = concat(random(1, 90 * PAGE), random(1, 90 * PAGE));
        StatePlan first = plan(pages, 0, state);
        byte[] pack = first.pack(PageSource.of(state)).readAllBytes();
        StatePlan second = plan(pages, 0, state);
        assertThat(second.pack(PageSource.of(state)).readAllBytes()).isEqualTo(pack);
        assertThat(second.index().bytes()).isEqualTo(first.index().bytes());
        assertThat(second.newBytes()).isEqualTo(90 * PAGE);
    }

    @Test
    void compressesWhatCanBeCompressedAndNothingElse() throws IOException {
        byte[] text = new byte[64 * PAGE];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) ('a' + random.nextInt(4));
        }
        StoredUnit text4 = store(new CheckpointPages(1, PATHS), 1, 0, text);
        StoredUnit noise = store(new CheckpointPages(1, PATHS), 1, 1, random(1, 64 * PAGE));
        assertThat(text4.own().bytes()).isLessThan(text.length / 2);
        assertThat(noise.own().bytes()).isEqualTo(64 * PAGE + 5 + PackDirectory.FOOTER_BYTES);
        assertThat(restored(text4)).isEqualTo(text);
    }

    @Test
    void takesFromALocalCopyWhatIsRightAndFetchesTheRest() throws IOException {
        byte[] state = random(1, 200 * PAGE + 9);
        StoredUnit unit = store(new CheckpointPages(1, PATHS), 1, 0, state);
        byte[] local = state.clone();
        local[150 * PAGE + 1]++;
        byte[] result = new byte[state.length];
        StateRestore restore = restore(unit, result);
        assertThat(restore.takeFrom(PageSource.of(local))).isEqualTo(state.length - PAGE);
        assertThat(restore.missingBytes()).isEqualTo(PAGE);
        Counted pack = new Counted(PackSource.of(pack(unit)));
        restore.takeFrom(unit.own().id(), pack);
        assertThat(result).isEqualTo(state);
        assertThat(pack.bytesRead).isLessThan(pack.bytes() / 2);
    }

    @Test
    void saysHowFarTheStateIsInPlaceWhileItIsFetched() throws IOException {
        int zeros = 3 * PAGE;
        byte[] state = Arrays.copyOf(random(1, 3 * WINDOW), 3 * WINDOW + zeros);
        StoredUnit unit = store(new CheckpointPages(1, PATHS), 1, 0, state);
        byte[] result = new byte[state.length];
        StateRestore restore = restore(unit, result);
        assertThat(restore.wholeBytes()).isZero();
        List<Long> whole = new ArrayList<>();
        restore.takeFrom(unit.own().id(), PackSource.of(pack(unit)), () -> {
            int end = (int) restore.wholeBytes();
            whole.add(restore.wholeBytes());
            assertThat(Arrays.equals(result, 0, end, state, 0, end)).isTrue();
        });
        assertThat(whole).hasSizeGreaterThan(2).isSorted().endsWith((long) state.length);
        assertThat(whole.getFirst()).isBetween(1L, (long) WINDOW);
    }

    @Test
    void needsNoPackIfTheLocalCopyIsRight() throws IOException {
        byte[] state = random(1, 10 * PAGE);
        StateRestore restore = restore(store(new CheckpointPages(1, PATHS), 1, 0, state), new byte[state.length]);
        restore.takeFrom(PageSource.of(state));
        assertThat(restore.needed()).isEmpty();
    }

    @Test
    void refusesEveryDamagedByteOfPackAndIndex() throws IOException {
        byte[] state = random(1, 2 * PAGE);
        StoredUnit unit = store(new CheckpointPages(1, PATHS), 1, 0, state);
        for (byte[] file : List.of(pack(unit), index(unit))) {
            for (int at = 0; at < file.length; at += 7) {
                file[at] ^= 4;
                assertThatThrownBy(() -> restored(unit)).as("byte %d", at).isInstanceOf(LostDataException.class);
                file[at] ^= 4;
            }
        }
        assertThat(restored(unit)).isEqualTo(state);
    }

    @Test
    void refusesAPackThatWasCutOff() throws IOException {
        StoredUnit unit = store(new CheckpointPages(1, PATHS), 1, 0, random(1, 200 * PAGE));
        byte[] whole = pack(unit);
        for (int length : new int[] {0, 10, PAGE, whole.length - 1}) {
            packs.put(unit.own().id(), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> restored(unit)).isInstanceOf(LostDataException.class);
        }
    }

    @Test
    void refusesALocalCopyThatIsNotWhatTheRankWrote() throws IOException {
        CheckpointPages pages = new CheckpointPages(1, PATHS);
        byte[] state = random(1, 10 * PAGE);
        LocalCopy copy = copy(state);
        state[PAGE]++;
        assertThatThrownBy(() -> pages.plan(0, PageSource.of(state), state.length, copy))
                .isInstanceOf(TornStateException.class)
                .hasMessageContaining("rank 0");
        assertThatThrownBy(() -> pages.plan(0, PageSource.of(state), 5, copy(state)))
                .isInstanceOf(TornStateException.class)
                .hasMessageContaining("5 bytes");
    }

    @Test
    void refusesALocalCopyThatChangesBeforeItIsStored() throws IOException {
        byte[] state = random(1, 10 * PAGE);
        StatePlan plan = plan(new CheckpointPages(1, PATHS), 0, state);
        state[5 * PAGE]++;
        assertThatThrownBy(() -> plan.pack(PageSource.of(state)).readAllBytes())
                .isInstanceOf(TornStateException.class)
                .hasMessageContaining("at byte " + 5 * PAGE);
    }

    @Test
    void aFullTableStoresDuplicatesAgain() throws IOException {
        byte[] state = random(1, 20 * PAGE);
        PageTable table = new PageTable(10);
        assertThat(table.isFull()).isFalse();
        StatePlan first = StatePlan.of(new PackId(1, 0), PageSource.of(state), state.length, table);
        StatePlan second = StatePlan.of(new PackId(1, 1), PageSource.of(state), state.length, table);
        assertThat(first.newBytes()).isEqualTo(20 * PAGE);
        assertThat(second.newBytes()).isEqualTo(10 * PAGE);
        assertThat(table.isFull()).isTrue();
    }

    private CheckpointPages based(long checkpoint, StoredUnit base) {
        CheckpointPages pages = new CheckpointPages(checkpoint, PATHS);
        List<Pack> earlier = base.earlier();
        pages.addBase(new Manifest("job", 8, 1, 1, 1, List.of(base), earlier));
        pages.addBase(StateIndex.of(base, index(base)));
        return pages;
    }

    private StoredUnit store(CheckpointPages pages, long checkpoint, int rank, byte[] state) throws IOException {
        StatePlan plan = plan(pages, rank, state);
        byte[] pack = plan.pack(PageSource.of(state)).readAllBytes();
        byte[] index = plan.index().bytes();
        packs.put(new PackId(checkpoint, rank), pack);
        indexes.put(PATHS.index(checkpoint, rank), index);
        return pages.stored(rank, plan.newBytes() == 0 ? 0 : pack.length, index);
    }

    private static StatePlan plan(CheckpointPages pages, int rank, byte[] state) throws IOException {
        return pages.plan(rank, PageSource.of(state), state.length, copy(state));
    }

    private byte[] restored(StoredUnit unit) throws IOException {
        byte[] state = new byte[(int) unit.size()];
        StateRestore restore = restore(unit, state);
        for (PackId id : restore.needed()) {
            restore.takeFrom(id, PackSource.of(packs.getOrDefault(id, new byte[0])));
        }
        assertThat(restore.needed()).isEmpty();
        return state;
    }

    private StateRestore restore(StoredUnit unit, byte[] state) {
        return new StateRestore(StateIndex.of(unit, index(unit)), PageTarget.of(state), PageCheck.byHash());
    }

    private byte[] pack(StoredUnit unit) {
        return packs.getOrDefault(unit.own().id(), new byte[0]);
    }

    private byte[] index(StoredUnit unit) {
        return indexes.getOrDefault(unit.path(), new byte[0]);
    }

    private static LocalCopy copy(byte[] state) {
        CRC32C crc = new CRC32C();
        crc.update(state);
        return new LocalCopy(state.length, crc.getValue());
    }

    private static byte[] random(long seed, int size) {
        byte[] bytes = new byte[size];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Counts what is fetched. */
    private static final class Counted implements PackSource {
        private final PackSource pack;
        private long bytesRead;

        Counted(PackSource pack) {
            this.pack = pack;
        }

        @Override
        public long bytes() {
            return pack.bytes();
        }

        @Override
        public CompletableFuture<byte[]> read(long offset, int length) {
            bytesRead += length;
            return pack.read(offset, length);
        }
    }
}
