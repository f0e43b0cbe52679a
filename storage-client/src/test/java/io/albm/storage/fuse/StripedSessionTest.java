// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.mount.LocalStorage;
import io.albm.storage.mount.MemoryBlocks;
import io.albm.storage.mount.StripedFileSystem;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every operation of the protocol, with the striped storage behind it. */
@EnabledIf(value = "io.albm.storage.fuse.Mounting#isPossible", disabledReason = Mounting.REASON)
final class StripedSessionTest extends MountContract {
    private static final long INODES = 10_000;

    private final LocalStorage storage = new LocalStorage(INODES);

    @Override
    FuseSession mount(Path target) throws IOException {
        return FuseSession.mount(storage.mount(), target, StripedFileSystem.OPTIONS);
    }

    @ParameterizedTest
    @EnumSource(
            value = StandardOpenOption.class,
            names = {"SYNC", "DSYNC"})
    void storesEachWriteOfAFileThatIsOpenedForThat(StandardOpenOption sync, @TempDir Path elsewhere)
            throws IOException {
        try (FileChannel channel = FileChannel.open(
                        directory.resolve("log"), StandardOpenOption.CREATE, StandardOpenOption.WRITE, sync);
                FuseSession other = FuseSession.mount(storage.mount(), elsewhere, StripedFileSystem.OPTIONS)) {
            channel.write(ByteBuffer.wrap(new byte[] {'a'}));
            assertThat(elsewhere.resolve("log")).hasContent("a");
            channel.write(ByteBuffer.wrap(new byte[] {'b'}));
            assertThat(elsewhere.resolve("log")).hasContent("ab");
            assertThat(other.hasEnded()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "shorter", "one that is longer than what comes after it"})
    void whoOpensAFileSeesWhatAnotherMountHasClosed(String before, @TempDir Path elsewhere) throws IOException {
        Path here = file("f", before);
        try (FuseSession other = FuseSession.mount(storage.mount(), elsewhere, StripedFileSystem.OPTIONS)) {
            Path there = elsewhere.resolve("f");
            assertThat(Files.size(there)).isEqualTo(before.length());
            Files.writeString(here, "what comes now");
            try (InputStream in = new FileInputStream(there.toFile())) {
                assertThat(in.readNBytes(100)).asString().isEqualTo("what comes now");
            }
            assertThat(other.hasEnded()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "one that is longer than what comes after it"})
    void whoAppendsToAFileDoesSoBehindWhatAnotherMountHasClosed(String before, @TempDir Path elsewhere)
            throws IOException {
        Path here = file("f", before);
        try (FuseSession other = FuseSession.mount(storage.mount(), elsewhere, StripedFileSystem.OPTIONS)) {
            Path there = elsewhere.resolve("f");
            assertThat(Files.size(there)).isEqualTo(before.length());
            Files.writeString(here, "first");
            Files.writeString(there, ", second", StandardOpenOption.APPEND);
            Files.writeString(here, ", third", StandardOpenOption.APPEND);
            assertThat(there).hasContent("first, second, third");
            assertThat(other.hasEnded()).isFalse();
        }
    }

    @Test
    void fillsHolesWithZeros() throws IOException {
        Path file = directory.resolve("sparse");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            channel.write(ByteBuffer.wrap(new byte[] {1}), 3 << 20);
            assertThat(channel.size()).isEqualTo((3 << 20) + 1);
        }
        byte[] expected = new byte[(3 << 20) + 1];
        expected[3 << 20] = 1;
        assertThat(Files.readAllBytes(file)).isEqualTo(expected);
    }

    @Test
    void refusesToSetAsideWhatThereIsNoRoomFor() throws IOException {
        Path file = file("large", "x");
        assertThat(Libc.fallocate(file, 0, 0, 100L << 30)).isEqualTo(-Errno.ENOSPC.code());
        assertThat(file).hasContent("x");
    }

    @Test
    void setsAsideAsMuchAsAFileGrowsByHoweverLongItIs() throws IOException {
        Path file = file("sparse", "x");
        long size = 100L << 30;
        assertThat(Libc.call("truncate", file.toString(), size)).isZero();
        assertThat(Libc.fallocate(file, 0, 0, size + (100L << 20))).isZero();
        assertThat(Files.size(file)).isEqualTo(size + (100L << 20));
        assertThat(Libc.fallocate(file, 0, size, 100L << 30)).isEqualTo(-Errno.ENOSPC.code());
    }

    @Test
    void aFileMayBeMuchLongerThanThereIsRoom() throws IOException {
        Path file = file("sparse", "x");
        long size = 100L << 30;
        assertThat(Libc.call("truncate", file.toString(), size)).isZero();
        assertThat(Files.size(file)).isEqualTo(size);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {7}), size - 2);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer end = ByteBuffer.allocate(5);
            channel.read(end, size - 4);
            assertThat(end.array()).containsExactly(0, 0, 7, 0, 0);
        }
    }

    @Test
    void aFileMayBeAsLongAsNumbersGo() throws IOException {
        Path file = file("longest", "x");
        assertThat(Libc.call("truncate", file.toString(), 1L << 62)).isZero();
        assertThat(Files.size(file)).isEqualTo(1L << 62);
        assertThat(Libc.call("truncate", file.toString(), 2L)).isZero();
        assertThat(Files.readAllBytes(file)).containsExactly('x', 0);
    }

    @Test
    void showsItsSpace() throws IOException {
        FileStore store = Files.getFileStore(directory);
        long capacity = LocalStorage.NODES * MemoryBlocks.CAPACITY;
        assertThat(store.getTotalSpace()).isEqualTo(capacity);
        Files.write(directory.resolve("some"), new byte[1 << 20]);
        assertThat(store.getUsableSpace()).isEqualTo(capacity - (5 << 18));
        assertThat(store.type()).isEqualTo("fuse.albm");
    }

    @Test
    void refusesAttributesThatItCouldNotActUpon() throws IOException {
        Path file = file("f", "");
        assertThat(Libc.call("removexattr", file.toString(), "security.albm")).isEqualTo(-Errno.EOPNOTSUPP.code());
    }
}
