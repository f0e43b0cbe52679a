// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.albm.cache.source.DirectorySource;
import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.MissingDocumentException;
import io.albm.storage.PutMode;
import io.albm.storage.StripedInputStream;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What a mount promises when its process, or the cluster behind it, is lost. */
@Order(3)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(value = "isPossible", disabledReason = "mounting takes /dev/fuse and root")
final class MountIT {
    private static final byte[] OLD = content(1);
    private static final byte[] NEW = content(2);

    /** By each of two. */
    private static final int COUNTS = 100;

    private final Path mounted;
    private final Path elsewhere;
    private final StorageCluster cluster;
    private final List<Process> mounts = new ArrayList<>();

    MountIT(@TempDir Path directory) throws IOException {
        mounted = Files.createDirectory(directory.resolve("mounted"));
        elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        cluster = new StorageCluster(directory, "64MiB");
    }

    static boolean isPossible() {
        return Files.exists(Path.of("/dev/fuse")) && "root".equals(System.getProperty("user.name"));
    }

    /** What a failed test has left: nothing below it could be looked at once the nodes are gone. */
    @AfterEach
    void endMounts() throws Exception {
        for (Process mount : mounts) {
            mount.destroyForcibly().waitFor();
        }
        mounts.clear();
        for (Path directory : List.of(mounted, elsewhere)) {
            // Succeeds only where a dead mount is left.
            new ProcessBuilder("umount", "--lazy", directory.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
    }

    @Test
    void whatWasSyncedOutlivesAMountThatIsKilledAndItsDirectoryCanBeMountedAgain() throws Exception {
        Process killed = mount();
        save("synced", OLD);
        DirectorySource documents = new DirectorySource(mounted);
        try (FileChannel open =
                FileChannel.open(mounted.resolve("open"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            write(open, OLD);
            Signal.KILL.to(killed.pid());
            killed.waitFor();
            assertThatIOException().isThrownBy(() -> open.force(true));
        } catch (IOException closing) {
            assertThat(closing).hasMessageContaining("not connected");
        }
        assertThatIOException().isThrownBy(() -> Files.readAllBytes(mounted.resolve("synced")));
        assertThatIOException()
                .as("a document that cannot be read is not missing")
                .isThrownBy(() -> documents.version(new DocumentPath("/synced")))
                .isNotInstanceOf(MissingDocumentException.class);

        StripedStore store = cluster.store(1);
        assertThat(read(store, "/synced")).isEqualTo(OLD);
        store.writeBytes("/synced", NEW, PutMode.REPLACE);
        Process again = mount();
        assertThat(Files.readAllBytes(mounted.resolve("synced"))).isEqualTo(NEW);
        save("synced", OLD);
        assertThat(read(store, "/synced")).isEqualTo(OLD);
        unmount(again);
    }

    @Test
    void whatWasClosedOutlivesAMountThatIsAskedToEnd() throws Exception {
        Process mount = mount();
        Files.createDirectories(mounted.resolve("a/b"));
        Files.write(mounted.resolve("a/b/closed"), OLD);
        unmount(mount);
        assertThat(mounted).isEmptyDirectory();
        assertThat(read(cluster.store(1), "/a/b/closed")).isEqualTo(OLD);
    }

    @Test
    void withoutItsNodesAMountFailsInTimeAndGoesOnWhenTheyAreBack() throws Exception {
        Process mount = mount();
        save("kept", OLD);
        cluster.store(1).writeBytes("/unread", OLD, PutMode.REPLACE);
        StorageCluster.nodes().forEach(node -> cluster.lose(node, Signal.KILL));
        try {
            assertThatIOException().isThrownBy(() -> Files.readAllBytes(mounted.resolve("unread")));
            assertThatIOException().isThrownBy(() -> save("unsaved", NEW));
        } finally {
            cluster.getBack(StorageCluster.nodes());
        }
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(Files.readAllBytes(mounted.resolve("unread")))
                        .isEqualTo(OLD));
        assertThat(Files.readAllBytes(mounted.resolve("kept"))).isEqualTo(OLD);
        await().ignoreExceptions().untilAsserted(() -> save("saved", NEW));
        assertThat(read(cluster.store(1), "/saved")).isEqualTo(NEW);
        unmount(mount);
    }

    @Test
    void twoMountsThatCountUnderLocksLoseNothingWhenTheLeaderDies() throws Exception {
        Process here = mount();
        Process there = mount(elsewhere);
        Files.createDirectory(mounted.resolve("shared"));
        Files.write(mounted.resolve("shared/counter"), new byte[Long.BYTES]);
        AtomicInteger counted = new AtomicInteger();
        List<CompletableFuture<Void>> counting = Stream.of(mounted, elsewhere)
                .map(mount -> count(mount.resolve("shared/counter"), counted))
                .toList();
        await().until(() -> counted.get() >= COUNTS / 2);
        String leader = cluster.leader();
        cluster.lose(leader, Signal.KILL);
        try {
            counting.forEach(CompletableFuture::join);
        } finally {
            cluster.getBack(List.of(leader));
        }
        for (Path mount : List.of(mounted, elsewhere)) {
            assertThat(ByteBuffer.wrap(Files.readAllBytes(mount.resolve("shared/counter")))
                            .getLong())
                    .isEqualTo(2 * COUNTS);
        }
        unmount(here);
        unmount(there, elsewhere);
    }

    /** In a thread of its own, with the file open all the time. */
    private static CompletableFuture<Void> count(Path counter, AtomicInteger counted) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try (FileChannel file = open(counter)) {
                for (int i = 0; i < COUNTS; i++) {
                    try (FileLock lock = file.lock(0, Long.BYTES, false)) {
                        ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
                        file.read(number, 0);
                        number.putLong(0, number.getLong(0) + 1).clear();
                        file.write(number, lock.position());
                    }
                    counted.incrementAndGet();
                }
                end.complete(null);
            } catch (IOException | RuntimeException failure) {
                end.completeExceptionally(failure);
            }
        });
        return end;
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Short files in a directory of its own a mount stores by itself, and says so when somebody asks. */
    @Test
    void whoLocksAFileSeesWhatAnotherMountHasClosedAMomentAgo() throws Exception {
        Process here = mount();
        Process there = mount(elsewhere);
        Path own = Files.createDirectory(mounted.resolve("own"));
        Files.writeString(own.resolve("f"), "0");
        try (FileChannel file = open(elsewhere.resolve("own/f"))) {
            for (int i = 1; i <= 30; i++) {
                Files.createFile(own.resolve("more-" + i));
                Files.writeString(own.resolve("f"), Integer.toString(i));
                try (FileLock lock = file.lock(0, 100, true)) {
                    ByteBuffer read = ByteBuffer.allocate(10);
                    file.read(read, lock.position());
                    assertThat(new String(read.array(), 0, read.position(), StandardCharsets.US_ASCII))
                            .isEqualTo(Integer.toString(i));
                }
            }
        }
        unmount(there, elsewhere);
        unmount(here);
    }

    @Test
    void aLockOutlivesLeaderAndZooKeeperAndEndsWithItsMount() throws Exception {
        Process holder = mount();
        Process there = mount(elsewhere);
        Files.writeString(mounted.resolve("locked"), "content");
        try (FileChannel held = open(mounted.resolve("locked"));
                FileChannel other = open(elsewhere.resolve("locked"))) {
            assertThat(held.lock().isValid()).isTrue();
            for (String lost : List.of(cluster.leader(), StorageCluster.ZOOKEEPER)) {
                assertThat(other.tryLock()).isNull();
                cluster.lose(lost, Signal.KILL);
                cluster.getBack(List.of(lost));
                cluster.awaitWhole();
            }
            assertThat(other.tryLock()).isNull();
            Signal.KILL.to(holder.pid());
            holder.waitFor();
            await().until(() -> other.tryLock() != null);
        } catch (IOException closing) {
            assertThat(closing).hasMessageContaining("not connected");
        }
        unmount(there, elsewhere);
        unmount(mount());
    }

    private Process mount() throws IOException {
        return mount(mounted);
    }

    private Process mount(Path directory) throws IOException {
        Process mount = cluster.start("mount", directory.toString());
        mounts.add(mount);
        await().failFast("it ended", () -> !mount.isAlive()).until(() -> isMounted(directory));
        return mount;
    }

    private void unmount(Process mount) throws InterruptedException {
        unmount(mount, mounted);
    }

    private static void unmount(Process mount, Path directory) throws InterruptedException {
        mount.destroy();
        assertThat(mount.waitFor(60, TimeUnit.SECONDS)).isTrue();
        await().until(() -> !isMounted(directory));
    }

    /** One that is there and alive: of a dead one nothing can be asked. */
    static boolean isMounted(Path directory) throws IOException {
        try {
            return Files.getFileStore(directory).type().equals("fuse.albm");
        } catch (IOException dead) {
            return false;
        }
    }

    private void save(String name, byte[] content) throws IOException {
        try (FileChannel file = FileChannel.open(
                mounted.resolve(name),
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            write(file, content);
            file.force(true);
        }
    }

    private static void write(FileChannel to, byte[] content) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(content);
        while (left.hasRemaining()) {
            to.write(left);
        }
    }

    private static byte[] read(StripedStore store, String path) throws IOException {
        try (StripedInputStream in = store.open(path)) {
            return in.readAllBytes();
        }
    }

    private static byte[] content(long seed) {
        byte[] bytes = new byte[2 << 20];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
