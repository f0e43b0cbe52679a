// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import io.albm.storage.ScrubReport;
import io.albm.storage.StripedInputStream;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of files of a mount that are written at random places, as a database does, while a node is lost. */
@Order(3)
@EnabledIf(value = "io.albm.it.MountIT#isPossible", disabledReason = "mounting takes /dev/fuse and root")
final class RandomWritesIT {
    private static final int FILE_BYTES = 16 << 20;
    private static final int LEAST_WRITTEN = 4 << 10;
    private static final int MOST_WRITTEN = 64 << 10;
    private static final int WRITES_PER_SYNC = 64;
    private static final int SYNCS = 3;
    private static final String SPARE = "storage-6";

    private final Path mounted;
    private final StorageCluster cluster;
    private final Process mount;

    RandomWritesIT(@TempDir Path directory) throws IOException {
        mounted = Files.createDirectory(directory.resolve("mounted"));
        cluster = new StorageCluster(directory, "2GiB");
        mount = cluster.start("mount", mounted.toString());
        await().failFast("it ended", () -> !mount.isAlive()).until(() -> MountIT.isMounted(mounted));
    }

    @AfterEach
    void stop() throws Exception {
        mount.destroy();
        mount.waitFor();
        cluster.close();
    }

    @Test
    void noSyncFailsAndNoByteIsWrongWhileANodeIsKilledAndReplaced() throws Exception {
        List<Writer> writers = IntStream.range(0, 3).mapToObj(Writer::new).toList();
        awaitMore(writers);
        String killed = cluster.leader();
        cluster.lose(killed, Signal.KILL);
        awaitMore(writers);
        try (RoleUnderTest _ = cluster.startSpare(SPARE)) {
            Albm.Result replacement = cluster.run("storage", "replace", killed, SPARE);
            assertThat(replacement.exitCode()).as(replacement.toString()).isZero();
            awaitMore(writers);
            for (Writer writer : writers) {
                writer.end();
            }
            StripedStore store = cluster.store(1);
            for (Writer writer : writers) {
                assertThat(writer.content).isEqualTo(Files.readAllBytes(writer.file));
                try (StripedInputStream in = store.open("/" + writer.file.getFileName())) {
                    assertThat(in.readAllBytes()).isEqualTo(writer.content);
                }
            }
            assertThat(store.scrub(store.nodes(), progress -> {})).matches(ScrubReport::whole);
            assertThat(store.stat("/file-0").orElseThrow().nodes())
                    .contains(new NodeId(SPARE))
                    .doesNotContain(new NodeId(killed));
        }
    }

    private static void awaitMore(List<Writer> writers) {
        List<Integer> before =
                writers.stream().map(writer -> writer.syncs.get()).toList();
        await().failFast("a writer ended", () -> writers.stream().anyMatch(writer -> writer.writing.isDone()))
                .until(() -> IntStream.range(0, writers.size())
                        .allMatch(i -> writers.get(i).syncs.get() >= before.get(i) + SYNCS));
    }

    /** Writes a file of its own, in a thread of its own, and knows what it must contain. */
    private final class Writer {
        private final Path file;
        private final Random random;
        private final byte[] content = new byte[FILE_BYTES];
        private final CompletableFuture<Void> writing;
        private final AtomicInteger syncs = new AtomicInteger();
        private volatile boolean goesOn = true;

        Writer(int number) {
            file = mounted.resolve("file-" + number);
            random = new Random(number);
            writing = new CompletableFuture<>();
            Thread.ofPlatform().start(this::write);
        }

        private void write() {
            try (FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                write(channel, 0, FILE_BYTES);
                while (goesOn) {
                    for (int i = 0; i < WRITES_PER_SYNC; i++) {
                        int length = random.nextInt(LEAST_WRITTEN, MOST_WRITTEN);
                        write(channel, random.nextInt(FILE_BYTES - length), length);
                    }
                    channel.force(true);
                    syncs.incrementAndGet();
                }
                writing.complete(null);
            } catch (IOException | RuntimeException failure) {
                writing.completeExceptionally(failure);
            }
        }

        private void write(FileChannel channel, int at, int length) throws IOException {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            System.arraycopy(bytes, 0, content, at, length);
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left, at + left.position());
            }
        }

        void end() {
            goesOn = false;
            writing.join();
        }
    }
}
