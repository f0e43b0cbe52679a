// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Every operation of the protocol, with files in main memory. */
@EnabledIf(value = "io.albm.storage.fuse.Mounting#isPossible", disabledReason = Mounting.REASON)
final class FuseSessionTest extends MountContract {
    @Override
    FuseSession mount(Path target) throws IOException {
        return FuseSession.mount(new MemoryFileSystem(), target, MemoryFileSystem.OPTIONS);
    }

    @Test
    void keepsHolesAndTruncations() throws IOException {
        Path file = directory.resolve("sparse");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            channel.write(ByteBuffer.wrap("end".getBytes(UTF_8)), 100L << 30);
            assertThat(channel.size()).isEqualTo((100L << 30) + 3);
            ByteBuffer hole = ByteBuffer.allocate(8);
            channel.read(hole, 50L << 30);
            assertThat(hole.array()).containsOnly(0);
            channel.truncate(4);
            assertThat(channel.size()).isEqualTo(4);
        }
        assertThat(Files.readAllBytes(file)).containsExactly(0, 0, 0, 0);
    }

    @Test
    void findsDataAndHoles() throws IOException {
        Path file = Files.write(directory.resolve("holes"), new byte[1 << 20]);
        assertThat(Libc.fallocate(file, Libc.PUNCH_HOLE, 0, 512 << 10)).isZero();
        assertThat(Libc.seek(file, 0, Libc.SEEK_DATA)).isEqualTo(512 << 10);
        assertThat(Libc.seek(file, 512 << 10, Libc.SEEK_HOLE)).isEqualTo(1 << 20);
        assertThat(Libc.seek(file, 2 << 20, Libc.SEEK_DATA)).isEqualTo(-Errno.ENXIO.code());
    }

    @Test
    void showsItsSpace() throws IOException {
        FileStore store = Files.getFileStore(directory);
        assertThat(store.getTotalSpace()).isEqualTo(4L << 30);
        Files.write(directory.resolve("some"), new byte[1 << 20]);
        assertThat(store.getUsableSpace()).isEqualTo((4L << 30) - (1 << 20));
        assertThat(store.type()).isEqualTo("fuse.albm");
    }
}
