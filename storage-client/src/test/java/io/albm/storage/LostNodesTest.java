// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.storage.mount.LocalStorage;
import io.albm.storage.mount.MemoryBlocks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be had of the storage with as many nodes lost as its files have parity units, whichever these are. */
class LostNodesTest {
    private static final int UNIT = 64 * 1024;
    private static final int TABLE = 100;

    private final Random random = new Random(5);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void readsTheRightBytesWithAnyTwoNodesLost(int dataUnits) throws IOException {
        Storage storage = new Storage(dataUnits, 2, dataUnits + 2);
        List<byte[]> contents = new ArrayList<>();
        for (int length : lengths(dataUnits)) {
            contents.add(storage.write("/" + contents.size(), length));
        }
        storage.withAnyTwoLost(lost -> {
            for (int file = 0; file < contents.size(); file++) {
                assertThat(storage.read("/" + file))
                        .as("%d bytes over %d + 2 without %s", contents.get(file).length, dataUnits, lost)
                        .isEqualTo(contents.get(file));
            }
        });
    }

    /** Of the last stripe, every number of units, and a last unit of every kind. */
    private static int[] lengths(int dataUnits) {
        IntStream last = IntStream.rangeClosed(1, dataUnits)
                .flatMap(units -> IntStream.of(-UNIT + 1, -UNIT / 2 - 3, -1, 0).map(less -> units * UNIT + less));
        int stripe = dataUnits * UNIT;
        return IntStream.concat(last, IntStream.of(stripe + 1, 3 * stripe + UNIT / 2 + 5))
                .toArray();
    }

    @ParameterizedTest
    @CsvSource({"4,1", "4,2", "5,2"})
    void readsAnyRangeWithNodesLost(int dataUnits, int parityUnits) throws IOException {
        Storage storage = new Storage(dataUnits, parityUnits, dataUnits + parityUnits);
        byte[] content = storage.write("/f", 3 * dataUnits * UNIT + UNIT + 77);
        storage.blocks().lose(storage.node(1));
        storage.blocks().lose(storage.node(parityUnits == 2 ? dataUnits : 1));
        StripedReader reader = StripedStore.await(storage.files.open(StoragePath.of("/f")));
        for (int i = 0; i < 300; i++) {
            int at = random.nextInt(content.length);
            StripedReader.Piece piece = reader.pieceAt(at).part(at, 1 + random.nextInt(3 * UNIT));
            ByteBuf read = StripedStore.await(reader.read(piece));
            assertThat(ByteBufUtil.getBytes(read))
                    .as(piece.toString())
                    .isEqualTo(Arrays.copyOfRange(content, at, at + piece.length()));
            read.release();
        }
    }

    @Test
    void asksANodeAgainThatHasFailedOnceIfAnotherHasLostItsBlocks() throws IOException {
        Storage storage = new Storage(4, 1, 5);
        byte[] content = storage.write("/f", 4 * UNIT);
        storage.blocks().wipe(storage.node(0));
        storage.blocks().failNext(new StorageException.NodeFailed(storage.node(1), "once"));
        StripedReader reader = StripedStore.await(storage.files.open(StoragePath.of("/f")));
        ByteBuf read = StripedStore.await(reader.read(reader.pieceAt(0)));
        assertThat(ByteBufUtil.getBytes(read)).isEqualTo(content);
        read.release();
    }

    @Test
    void namesFileStripeAndNodesWhenMoreIsLost() throws IOException {
        Storage storage = new Storage(4, 2, 9);
        byte[] content = storage.write("/f", 40 * UNIT);
        List<NodeId> nodes = List.copyOf(storage.store.stat("/f").orElseThrow().nodes());
        byte[] other = storage.writeBeside(nodes.subList(0, 3), 100);
        nodes.subList(0, 3).forEach(storage.blocks()::lose);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        assertThatExceptionOfType(StorageException.DataLost.class)
                .isThrownBy(() -> storage.store.readFile("/f", got))
                .withMessageContainingAll("/f: stripe ", "3 of its units are lost")
                .withMessageContainingAll(
                        nodes.get(0).value(), nodes.get(1).value(), nodes.get(2).value());
        assertThat(got.toByteArray()).isEqualTo(Arrays.copyOf(content, got.size()));
        assertThat(storage.read("/beside")).isEqualTo(other);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void makesAgainWhatTwoNodesHaveLost(int dataUnits) throws IOException {
        Storage storage = new Storage(dataUnits, 2, dataUnits + 2);
        byte[] large = storage.write("/large", 5 * dataUnits * UNIT + UNIT + 3);
        byte[] small = storage.write("/small", 5000);
        byte[] shortest = storage.write("/shortest", 300);
        int blocks = storage.blocks().count();
        Set<NodeId> wiped = Set.of(storage.node(0), storage.node(1));
        wiped.forEach(storage.blocks()::wipe);
        ScrubReport report = storage.store.scrub(wiped, progress -> {});
        assertThat(report.whole()).isTrue();
        assertThat(storage.blocks().count()).isEqualTo(blocks);
        storage.withAnyTwoLost(lost -> {
            assertThat(storage.read("/large")).as("without " + lost).isEqualTo(large);
            assertThat(storage.read("/small")).as("without " + lost).isEqualTo(small);
            assertThat(storage.read("/shortest")).as("without " + lost).isEqualTo(shortest);
        });
    }

    @Test
    void movesTheBlocksOfALostNodeWhileAnotherIsLost() throws IOException {
        Storage storage = new Storage(3, 2, 6);
        byte[] content = storage.write("/f", 20 * UNIT + 9);
        List<NodeId> nodes = List.copyOf(storage.store.stat("/f").orElseThrow().nodes());
        storage.blocks().lose(nodes.get(0));
        storage.blocks().lose(nodes.get(1));
        assertThat(storage.store.replace(nodes.get(0), null, progress -> {}).whole())
                .isTrue();
        storage.blocks().lose(nodes.get(2));
        assertThat(storage.read("/f")).isEqualTo(content);
    }

    @ParameterizedTest
    @CsvSource({"4097,0", "5000,1", "65536,2"})
    void keepsWhatOneUnitHoldsAsCopies(int length, int parityUnits) throws IOException {
        Storage storage = new Storage(4, parityUnits, 6);
        byte[] content = storage.write("/small", length);
        FileInfo file = storage.store.stat("/small").orElseThrow();
        assertThat(file.nodes()).hasSize(parityUnits + 1);
        assertThat(storage.blocks().count()).isEqualTo(parityUnits + 1);
        assertThat(storage.store.space().used()).isEqualTo((parityUnits + 1L) * length);
        List<NodeId> nodes = List.copyOf(file.nodes());
        nodes.subList(1, nodes.size()).forEach(storage.blocks()::lose);
        assertThat(storage.read("/small")).isEqualTo(content);
    }

    @Test
    void readsACopyFromWhicheverNode() throws IOException {
        Storage storage = new Storage(4, 2, 6);
        storage.write("/small", 5000);
        Set<NodeId> asked = new HashSet<>();
        storage.blocks().onRead(asked::add);
        for (int i = 0; i < 200; i++) {
            storage.read("/small");
        }
        assertThat(asked).isEqualTo(storage.store.stat("/small").orElseThrow().nodes());
    }

    @Test
    void refusesMoreParityThanTheNodesCanCarry() {
        Storage storage = new Storage(4, 2, 2);
        assertThatExceptionOfType(StorageException.TooFewNodes.class)
                .isThrownBy(() -> storage.write("/f", 1))
                .withMessage("storage has 2 nodes alive, expected at least 3 for parity of 2; start storage nodes, or"
                        + " write with less parity");
    }

    /** One storage and a client of it. */
    private final class Storage {
        private final LocalStorage local;
        private final StripedFiles files;
        private final StripedStore store;

        Storage(int dataUnits, int parityUnits, int nodes) {
            local = new LocalStorage(
                    TABLE, nodes, new StripeSettings(UNIT, dataUnits, parityUnits, 3, Duration.ofSeconds(5)));
            files = local.files();
            store = new StripedStore(files);
        }

        MemoryBlocks blocks() {
            return local.blocks();
        }

        NodeId node(int number) {
            return local.nodes().get(number);
        }

        byte[] write(String path, int length) throws IOException {
            byte[] content = new byte[length];
            random.nextBytes(content);
            store.writeBytes(path, content, PutMode.REPLACE);
            return content;
        }

        /** A file on none of these nodes. */
        byte[] writeBeside(List<NodeId> avoided, int length) throws IOException {
            while (true) {
                byte[] content = write("/beside", length);
                Set<NodeId> nodes = store.stat("/beside").orElseThrow().nodes();
                if (avoided.stream().noneMatch(nodes::contains)) {
                    return content;
                }
            }
        }

        byte[] read(String path) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            store.readFile(path, out);
            return out.toByteArray();
        }

        void withAnyTwoLost(Check check) throws IOException {
            List<NodeId> nodes = local.nodes();
            for (int a = 0; a < nodes.size(); a++) {
                for (int b = a + 1; b < nodes.size(); b++) {
                    List<NodeId> lost = List.of(nodes.get(a), nodes.get(b));
                    lost.forEach(blocks()::lose);
                    check.without(lost);
                    lost.forEach(blocks()::find);
                }
            }
        }
    }

    private interface Check {
        void without(List<NodeId> lost) throws IOException;
    }
}
