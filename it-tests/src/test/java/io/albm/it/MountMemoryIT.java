// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What the process of a mount takes, as {@code albm mount} starts it. */
@Order(3)
@EnabledIf(value = "io.albm.it.MountIT#isPossible", disabledReason = "mounting takes /dev/fuse and root")
final class MountMemoryIT {
    private static final int STREAMS = 64;
    private static final int BLOCKS = 12;
    private static final long MOST_KIBIBYTES = 256 << 10;

    private final byte[] block = new byte[1 << 20];

    /** One of many at once. */
    @FunctionalInterface
    private interface Stream {
        void run(Path file) throws IOException;
    }

    @Test
    void sixtyFourStreamsHaveItsMemoryBounded(@TempDir Path directory) throws Exception {
        new Random(1).nextBytes(block);
        Path mounted = Files.createDirectory(directory.resolve("mounted"));
        try (StorageCluster cluster = new StorageCluster(directory, "2GiB")) {
            Process mount = cluster.start("mount", mounted.toString());
            try {
                await().failFast("it ended", () -> !mount.isAlive()).until(() -> MountIT.isMounted(mounted));
                together(mounted, this::write);
                together(mounted, this::read);
                assertThat(mostKibibytes(mount.pid())).isBetween(MOST_KIBIBYTES / 4, MOST_KIBIBYTES);
            } finally {
                mount.destroy();
                mount.waitFor();
            }
        }
    }

    private static void together(Path mounted, Stream stream) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(STREAMS)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < STREAMS; i++) {
                Path file = mounted.resolve("stream-" + i);
                all.add(threads.submit(() -> {
                    stream.run(file);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private void write(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int i = 0; i < BLOCKS; i++) {
                ByteBuffer left = ByteBuffer.wrap(block);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
            }
            channel.force(true);
        }
    }

    private void read(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            for (int i = 0; i < BLOCKS; i++) {
                assertThat(in.readNBytes(block.length)).isEqualTo(block);
            }
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    /** The most that was in its memory at a time, shared libraries included. */
    private static long mostKibibytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }
}
