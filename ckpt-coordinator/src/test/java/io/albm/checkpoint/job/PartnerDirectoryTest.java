// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies from a host's directory to its partner's, over a link that the test spoils. */
class PartnerDirectoryTest {
    private static final NodeAddress OWNER = new NodeAddress("127.0.0.1", 1);
    private static final NodeAddress OTHER = new NodeAddress("127.0.0.1", 2);
    private static final int SIZE = 2 * CopyRange.MOST_BYTES + 77;

    @TempDir
    private Path dir = Path.of("");

    private final List<CopyRange> asked = new ArrayList<>();
    private Path owner = Path.of("");
    private Path keeper = Path.of("");
    private LocalCopies saved;
    private PartnerDirectory partner;

    @BeforeEach
    void open() throws IOException {
        owner = dir.resolve("owner");
        keeper = dir.resolve("keeper");
        saved = new LocalCopies(owner);
        partner = new PartnerDirectory(keeper);
    }

    @Test
    void copiesAStateByRanges() throws IOException {
        byte[] state = save(3, 1, SIZE);
        assertThat(hold(new PartnerOrder(3, List.of(wanted(1, state))))).containsExactly(1);
        assertThat(partner.of(1))
                .singleElement()
                .satisfies(copy -> assertThat(copy).hasBinaryContent(state));
        assertThat(asked).extracting(CopyRange::length).containsExactly(CopyRange.MOST_BYTES, CopyRange.MOST_BYTES, 77);
        assertThat(LocalCopies.read(keeper, new CopyRange(4, 1, SIZE - 3, 100)))
                .as("for who restores the rank, from whatever checkpoint")
                .containsExactly(state[SIZE - 3], state[SIZE - 2], state[SIZE - 1]);
    }

    @Test
    void anEmptyStateHasACopyToo() throws IOException {
        byte[] state = save(3, 1, 0);
        assertThat(hold(new PartnerOrder(3, List.of(wanted(1, state))))).containsExactly(1);
        assertThat(partner.of(1)).hasSize(1);
    }

    @Test
    void theCopyOfAJobThatHadTheNameBeforeGoes() throws IOException {
        hold(new PartnerOrder(57, List.of(wanted(1, save(57, 1, 10)))));
        byte[] state = save(3, 1, 10);
        hold(new PartnerOrder(3, List.of(wanted(1, state))));
        assertThat(partner.of(1))
                .singleElement()
                .satisfies(copy -> assertThat(copy).hasBinaryContent(state));
    }

    @Test
    void theNewCopyTakesThePlaceOfTheOldOneAndCopiesOfOtherRanksGo() throws IOException {
        hold(new PartnerOrder(3, List.of(wanted(1, save(3, 1, 10)), wanted(2, save(3, 2, 10)))));
        byte[] state = save(4, 1, 10);
        Files.createFile(keeper.resolve("partner/incoming-7.tmp"));
        hold(new PartnerOrder(4, List.of(wanted(1, state))));
        assertThat(keeper.resolve("partner")).isDirectoryContaining("glob:**/4-1");
        assertThat(files()).hasSize(1);
    }

    @Test
    void aStateThatWasSpoiltOnItsWayIsRefusedAndTheOlderCopyStays() throws IOException {
        hold(new PartnerOrder(3, List.of(wanted(1, save(3, 1, SIZE)))));
        byte[] state = save(4, 1, SIZE);
        assertThat(partner.hold(new PartnerOrder(4, List.of(wanted(1, state))), this::spoil, () -> true))
                .isEmpty();
        assertThat(files()).map(Path::getFileName).map(Path::toString).containsExactly("3-1");
    }

    @Test
    void aStateThatIsShorterThanItsRankSaidIsRefusedAndTheNextOneIsTaken() throws IOException {
        byte[] longer = new byte[SIZE];
        save(4, 1, SIZE - 1);
        byte[] whole = save(4, 2, SIZE);
        assertThat(hold(new PartnerOrder(4, List.of(wanted(1, longer), wanted(2, whole)))))
                .containsExactly(2);
        assertThat(files()).map(Path::getFileName).map(Path::toString).containsExactly("4-2");
    }

    @Test
    void aHostThatDoesNotAnswerIsAskedOnceAndOthersAfterIt() throws IOException {
        byte[] state = save(4, 3, SIZE);
        PartnerOrder order = new PartnerOrder(
                4,
                List.of(
                        new PartnerOrder.Wanted(1, OTHER, copy(state)),
                        new PartnerOrder.Wanted(2, OTHER, copy(state)),
                        wanted(3, state)));
        assertThat(hold(order)).containsExactly(3);
        assertThat(asked).filteredOn(range -> range.rank() < 3).hasSize(1);
    }

    @Test
    void aLaterOrderEndsThisOneAndNothingGoes() throws IOException {
        hold(new PartnerOrder(3, List.of(wanted(1, save(3, 1, 10)), wanted(2, save(3, 2, 10)))));
        asked.clear();
        byte[] state = save(4, 1, SIZE);
        assertThat(partner.hold(new PartnerOrder(4, List.of(wanted(1, state))), this::read, asked::isEmpty))
                .isEmpty();
        assertThat(asked).hasSize(1);
        assertThat(files()).map(Path::getFileName).map(Path::toString).containsExactlyInAnyOrder("3-1", "3-2");
    }

    @Test
    void saysThatThereIsNoSuchCopy() {
        assertThatThrownBy(() -> LocalCopies.read(keeper, new CopyRange(9, 1, 0, 10)))
                .isInstanceOf(NoSuchFileException.class);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(keeper.resolve("partner"))) {
            return files.toList();
        }
    }

    private Iterable<Integer> hold(PartnerOrder order) throws IOException {
        return partner.hold(order, this::read, () -> true);
    }

    private byte[] read(NodeAddress from, CopyRange range) throws IOException {
        asked.add(range);
        if (!from.equals(OWNER)) {
            throw new IOException("nobody answers");
        }
        return LocalCopies.read(owner, range);
    }

    private byte[] spoil(NodeAddress from, CopyRange range) throws IOException {
        byte[] bytes = read(from, range);
        bytes[0]++;
        return bytes;
    }

    private byte[] save(long checkpoint, int rank, int size) throws IOException {
        byte[] state = new byte[size];
        new SplittableRandom(checkpoint * 100 + rank).nextBytes(state);
        Files.write(saved.saved(checkpoint, rank), state);
        return state;
    }

    private static PartnerOrder.Wanted wanted(int rank, byte[] state) {
        return new PartnerOrder.Wanted(rank, OWNER, copy(state));
    }

    private static LocalCopy copy(byte[] state) {
        CRC32C crc = new CRC32C();
        crc.update(state);
        return new LocalCopy(state.length, crc.getValue());
    }
}
