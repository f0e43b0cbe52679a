// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Content through channels and streams. */
final class StorageChannelTest {
    private static final int STRIPE_BYTES = 4 * 64 * 1024;

    private final LocalFiles files = new LocalFiles();
    private FileSystem albm;
    private FileSystem other;
    private Path file;
    private Path seenByOther;

    @BeforeEach
    void open() throws IOException {
        albm = files.open(LocalFiles.FIRST);
        other = files.open(LocalFiles.SECOND);
        file = albm.getPath("/file");
        seenByOther = other.getPath("/file");
    }

    @AfterEach
    void close() throws IOException {
        albm.close();
        other.close();
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return content;
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(UTF_8));
    }

    @Test
    void readsWhatWasWrittenOverManyStripes() throws IOException {
        byte[] content = content(20 * STRIPE_BYTES + 12_345);
        Files.write(file, content);
        assertThat(Files.readAllBytes(seenByOther)).isEqualTo(content);
        assertThat(Files.size(seenByOther)).isEqualTo(content.length);
        try (InputStream in = Files.newInputStream(seenByOther)) {
            in.skipNBytes(STRIPE_BYTES);
            assertThat(in.readNBytes(10)).isEqualTo(Arrays.copyOfRange(content, STRIPE_BYTES, STRIPE_BYTES + 10));
        }
    }

    @Test
    void takesABufferOfAnySizeAtOnce() throws IOException {
        byte[] content = content(5_000_000);
        try (FileChannel channel = FileChannel.open(file, CREATE, WRITE, READ)) {
            assertThat(channel.write(ByteBuffer.wrap(content))).isEqualTo(content.length);
            assertThat(channel.position()).isEqualTo(content.length);
            ByteBuffer target = ByteBuffer.allocate(content.length + 10);
            channel.position(0);
            while (channel.read(target) > 0) {
                // Ends with the file.
            }
            assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content));
        }
    }

    @Test
    void showsOthersWhatWasWrittenWhenItIsClosedOrForced() throws IOException {
        try (FileChannel channel = FileChannel.open(file, CREATE_NEW, WRITE)) {
            channel.write(text("first"));
            assertThat(Files.size(seenByOther)).isZero();
            channel.force(true);
            assertThat(seenByOther).hasContent("first");
            channel.write(text("more"));
            assertThat(Files.size(file)).isEqualTo(9);
        }
        assertThat(seenByOther).hasContent("firstmore");
    }

    @Test
    void storesEachWriteOfAChannelThatSyncs() throws IOException {
        try (FileChannel channel = FileChannel.open(file, CREATE_NEW, WRITE, SYNC)) {
            channel.write(text("first"));
            assertThat(seenByOther).hasContent("first");
        }
    }

    @Test
    void changesAFileInItsMiddle() throws IOException {
        byte[] content = content(3 * STRIPE_BYTES);
        Files.write(file, content);
        try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
            channel.write(text("here"), STRIPE_BYTES - 2);
            channel.position(5).write(text("there"));
            assertThat(channel.position()).isEqualTo(10);
        }
        System.arraycopy("here".getBytes(UTF_8), 0, content, STRIPE_BYTES - 2, 4);
        System.arraycopy("there".getBytes(UTF_8), 0, content, 5, 5);
        assertThat(Files.readAllBytes(seenByOther)).isEqualTo(content);
    }

    @Test
    void writesAtTheEndWhereverThatIs() throws IOException {
        Files.writeString(file, "a");
        try (FileChannel channel = FileChannel.open(file, APPEND)) {
            assertThat(channel.position()).isEqualTo(1);
            channel.position(0).write(text("b"));
            channel.write(text("c"), 0);
        }
        Files.writeString(file, "d", APPEND);
        Files.writeString(albm.getPath("/new"), "e", CREATE, APPEND);
        assertThat(file).hasContent("abcd");
        assertThat(albm.getPath("/new")).hasContent("e");
    }

    @Test
    void makesAHoleBehindTheEnd() throws IOException {
        try (FileChannel channel = FileChannel.open(file, CREATE, WRITE)) {
            channel.write(text("x"), 100_000);
            assertThat(channel.size()).isEqualTo(100_001);
        }
        byte[] expected = new byte[100_001];
        expected[100_000] = 'x';
        assertThat(Files.readAllBytes(seenByOther)).isEqualTo(expected);
    }

    @Test
    void cutsAFileOff() throws IOException {
        Files.writeString(file, "content");
        try (FileChannel channel = FileChannel.open(file, WRITE)) {
            channel.position(6).truncate(4);
            assertThat(channel.position()).isEqualTo(4);
            assertThat(channel.truncate(100).size()).isEqualTo(4);
        }
        assertThat(seenByOther).hasContent("cont");
        Files.newByteChannel(file, WRITE, TRUNCATE_EXISTING).close();
        assertThat(seenByOther).isEmptyFile();
    }

    @Test
    void writesAShorterFileOverALongerOne() throws IOException {
        Files.writeString(file, "longer");
        Files.writeString(file, "short");
        assertThat(seenByOther).hasContent("short");
    }

    @Test
    void opensOnlyWhatTheOptionsSay() throws IOException {
        assertThatThrownBy(() -> Files.newByteChannel(file)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Files.newByteChannel(file, WRITE)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Files.newByteChannel(file, READ, CREATE)).isInstanceOf(NoSuchFileException.class);
        Files.newByteChannel(file, WRITE, CREATE_NEW).close();
        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> Files.newByteChannel(file, WRITE, CREATE_NEW))
                .withMessage("/file");
        assertThatThrownBy(() -> Files.newByteChannel(file, READ, APPEND)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Files.newByteChannel(file, APPEND, TRUNCATE_EXISTING))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.newByteChannel(albm.getPath("/"), WRITE, CREATE))
                .withMessage("/: is a directory");
        Path link = Files.createSymbolicLink(albm.getPath("/link"), file);
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.newByteChannel(link, READ, LinkOption.NOFOLLOW_LINKS))
                .withMessage("/link: is a symbolic link, which is not to be followed");
    }

    @Test
    void doesOnlyWhatItWasOpenedFor() throws IOException {
        Files.writeString(file, "content");
        try (FileChannel reader = FileChannel.open(file);
                FileChannel writer = FileChannel.open(file, WRITE)) {
            assertThatThrownBy(() -> reader.write(text("x"))).isInstanceOf(NonWritableChannelException.class);
            assertThatThrownBy(() -> reader.truncate(0)).isInstanceOf(NonWritableChannelException.class);
            assertThatThrownBy(() -> writer.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(NonReadableChannelException.class);
            assertThatThrownBy(() -> reader.position(-1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> reader.map(FileChannel.MapMode.READ_ONLY, 0, 1))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThat(reader.position(7).read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThat(reader.read(ByteBuffer.allocate(0))).isZero();
        }
    }

    @Test
    void doesNothingMoreWhenItIsClosed() throws IOException {
        FileChannel channel = FileChannel.open(file, CREATE, WRITE);
        channel.close();
        assertThatThrownBy(() -> channel.write(text("late"))).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::position).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(channel::size).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void scattersAndGathers() throws IOException {
        try (FileChannel channel = FileChannel.open(file, CREATE, WRITE, READ)) {
            assertThat(channel.write(new ByteBuffer[] {text("ab"), text("cde")}))
                    .isEqualTo(5);
            ByteBuffer[] targets = {ByteBuffer.allocate(3), ByteBuffer.allocate(3)};
            assertThat(channel.position(0).read(targets)).isEqualTo(5);
            assertThat(targets[0].array()).asString(UTF_8).isEqualTo("abc");
            assertThat(channel.read(targets)).isEqualTo(-1);
        }
    }

    @Test
    void transfersToAndFromOtherChannels() throws IOException {
        byte[] content = content(3_000_000);
        try (FileChannel channel = FileChannel.open(file, CREATE, WRITE, READ)) {
            assertThat(channel.transferFrom(
                            Channels.newChannel(new java.io.ByteArrayInputStream(content)), 0, 1L << 40))
                    .isEqualTo(content.length);
            java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
            assertThat(channel.transferTo(1000, 2_500_000, Channels.newChannel(out)))
                    .isEqualTo(2_500_000);
            assertThat(out.toByteArray()).isEqualTo(Arrays.copyOfRange(content, 1000, 2_501_000));
            assertThat(channel.transferTo(3_000_001, 1, Channels.newChannel(out)))
                    .isZero();
        }
    }

    @Test
    void keepsAFileThatIsDeletedWhileItIsOpen() throws IOException {
        Files.writeString(file, "content");
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            Files.delete(file);
            assertThat(Files.exists(seenByOther)).isFalse();
            assertThat(Channels.newInputStream(channel).readAllBytes())
                    .asString(UTF_8)
                    .isEqualTo("content");
        }
        assertThat(files.storage.blocks().count()).isZero();
    }

    @Test
    void deletesAFileWhenItIsClosed() throws IOException {
        try (OutputStream out = Files.newOutputStream(file, CREATE, WRITE, DELETE_ON_CLOSE)) {
            out.write(new byte[100]);
            assertThat(file).exists();
        }
        assertThat(file).doesNotExist();
        Files.newByteChannel(Files.createFile(file), WRITE, DELETE_ON_CLOSE).close();
        assertThat(file).doesNotExist();
        SeekableByteChannel gone = Files.newByteChannel(Files.createFile(file), READ, DELETE_ON_CLOSE);
        Files.delete(file);
        Files.createFile(file);
        gone.close();
        assertThat(file).exists();
    }

    @Test
    void anInterruptClosesAChannelAndKeepsWhatWasWritten() throws IOException {
        FileChannel channel = FileChannel.open(file, CREATE, WRITE, READ);
        channel.write(text("kept"));
        Thread.currentThread().interrupt();
        assertThatThrownBy(channel::size).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(channel.isOpen()).isFalse();
        assertThat(seenByOther).hasContent("kept");
    }

    @Test
    void closingWhileInterruptedStoresAll() throws IOException {
        FileChannel channel = FileChannel.open(file, CREATE, WRITE);
        channel.write(text("kept"));
        Thread.currentThread().interrupt();
        channel.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(seenByOther).hasContent("kept");
    }

    @Test
    void isUsedByManyVirtualThreadsAtATime() throws Exception {
        int parts = 64;
        byte[] content = content(parts * 10_000);
        try (FileChannel channel = FileChannel.open(file, CREATE, WRITE, READ);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Integer> part : threads.invokeAll(IntStream.range(0, parts)
                    .<java.util.concurrent.Callable<Integer>>mapToObj(
                            i -> () -> channel.write(ByteBuffer.wrap(content, i * 10_000, 10_000), i * 10_000L))
                    .toList())) {
                assertThat(part.get()).isEqualTo(10_000);
            }
        }
        assertThat(Files.readAllBytes(seenByOther)).isEqualTo(content);
    }
}
