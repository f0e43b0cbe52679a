// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.albm.storage.PutMode;
import io.albm.storage.StripedInputStream;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
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

    private final Path mounted;
    private final StorageCluster cluster;

    MountIT(@TempDir Path directory) throws IOException {
        mounted = Files.createDirectory(directory.resolve("mounted"));
        cluster = new StorageCluster(directory, "64MiB");
    }

    static boolean isPossible() {
        return Files.exists(Path.of("/dev/fuse")) && "root".equals(System.getProperty("user.name"));
    }

    @AfterAll
    void stop() throws IOException {
        cluster.close();
    }

    @Test
    void whatWasSyncedOutlivesAMountThatIsKilledAndItsDirectoryCanBeMountedAgain() throws Exception {
        Process killed = mount();
        save("synced", OLD);
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

    private Process mount() throws IOException {
        Process mount = cluster.start("mount", mounted.toString());
        await().failFast("it ended", () -> !mount.isAlive()).until(this::isMounted);
        return mount;
    }

    private void unmount(Process mount) throws InterruptedException {
        mount.destroy();
        assertThat(mount.waitFor(60, TimeUnit.SECONDS)).isTrue();
        await().until(() -> !isMounted());
    }

    /** One that is there and alive: of a dead one nothing can be asked. */
    private boolean isMounted() throws IOException {
        try {
            return Files.getFileStore(mounted).type().equals("fuse.albm");
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
