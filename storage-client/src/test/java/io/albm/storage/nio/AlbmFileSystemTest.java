// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Storages that are opened and closed. */
final class AlbmFileSystemTest {
    private final LocalFiles files = new LocalFiles();

    @Test
    void isFoundByItsUriWhileItIsOpen() throws IOException {
        try (FileSystem opened = files.open(LocalFiles.FIRST)) {
            assertThat(files.provider.getFileSystem(LocalFiles.FIRST.resolve("/any/path")))
                    .isSameAs(opened);
            assertThat(files.provider.getPath(LocalFiles.FIRST.resolve("/a%20b")))
                    .isEqualTo(opened.getPath("/a b"));
            assertThat(opened.isOpen()).isTrue();
            assertThat(opened.getRootDirectories()).containsExactly(opened.getPath("/"));
            assertThatExceptionOfType(FileSystemAlreadyExistsException.class)
                    .isThrownBy(() -> files.open(LocalFiles.FIRST.resolve("/other")))
                    .withMessageContaining("albm://127.0.0.1:2181/ is open already");
            assertThatExceptionOfType(FileSystemNotFoundException.class)
                    .isThrownBy(() -> files.provider.getPath(LocalFiles.SECOND))
                    .withMessageContaining("albm://other@127.0.0.1:2181/ is not open");
        }
        assertThatExceptionOfType(FileSystemNotFoundException.class)
                .isThrownBy(() -> files.provider.getPath(LocalFiles.FIRST));
        files.open(LocalFiles.FIRST).close();
    }

    @Test
    void oneThatIsClosedDoesNothingMore() throws IOException {
        FileSystem closed = files.open(LocalFiles.FIRST);
        Path file = closed.getPath("/file");
        closed.close();
        closed.close();
        assertThat(closed.isOpen()).isFalse();
        assertThat(files.closed).hasSize(1);
        assertThatThrownBy(() -> Files.writeString(file, "late")).isInstanceOf(ClosedFileSystemException.class);
        assertThatThrownBy(() -> Files.createDirectory(file)).isInstanceOf(ClosedFileSystemException.class);
        assertThatThrownBy(() -> Files.size(file)).isInstanceOf(ClosedFileSystemException.class);
    }

    @Test
    @SuppressWarnings("StreamResourceLeak") // closed with its file system
    void closingStoresAndClosesWhatIsOpen() throws IOException {
        FileSystem first = files.open(LocalFiles.FIRST);
        FileChannel channel =
                FileChannel.open(first.getPath("/file"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        DirectoryStream<Path> entries = Files.newDirectoryStream(first.getPath("/"));
        first.close();
        assertThat(channel.isOpen()).isFalse();
        assertThatThrownBy(channel::size).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(entries::iterator).isInstanceOf(IllegalStateException.class);
        try (FileSystem again = files.open(LocalFiles.FIRST)) {
            assertThat(again.getPath("/file")).hasBinaryContent(new byte[] {1, 2, 3});
        }
    }

    @Test
    void closingWaitsForWhatRuns() throws Exception {
        FileSystem opened = files.open(LocalFiles.FIRST);
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Void> operation =
                CompletableFuture.runAsync(() -> hold(opened, running, end), Thread::startVirtualThread);
        running.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> close(opened), Thread::startVirtualThread);
        await().until(() -> !opened.isOpen());
        assertThat(files.closed).isEmpty();
        end.countDown();
        operation.get();
        closing.get();
        assertThat(files.closed).hasSize(1);
    }

    private static void hold(FileSystem opened, CountDownLatch running, CountDownLatch end) {
        try {
            ((AlbmFileSystem) opened).session().change(opened.getPath("/"), storage -> {
                running.countDown();
                end.await();
            });
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void close(FileSystem opened) {
        try {
            opened.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void anInterruptEndsAWait() throws IOException {
        try (FileSystem opened = files.open(LocalFiles.FIRST)) {
            Path file = opened.getPath("/file");
            Session session = ((AlbmFileSystem) opened).session();
            assertThatExceptionOfType(InterruptedIOException.class)
                    .isThrownBy(() -> session.change(file, storage -> {
                        throw new InterruptedException();
                    }))
                    .withMessageContaining("/file: interrupted");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void namesTheFileThatTheStorageFailsWith() throws IOException {
        try (FileSystem opened = files.open(LocalFiles.FIRST)) {
            Path file = opened.getPath("/file");
            IOException reason = new IOException("the storage did not answer within 30 s");
            assertThatExceptionOfType(FileSystemException.class)
                    .isThrownBy(() -> ((AlbmFileSystem) opened).session().change(file, storage -> {
                        throw reason;
                    }))
                    .withMessage("/file: the storage did not answer within 30 s")
                    .withCause(reason);
        }
    }
}
