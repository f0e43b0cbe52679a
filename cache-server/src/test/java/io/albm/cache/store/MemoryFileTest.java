// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class MemoryFileTest {
    private static final int BYTES = 100_000;

    private static MemoryFile filled(int with) {
        MemoryFile file = MemoryFile.allocate(BYTES).orElseThrow();
        byte[] content = new byte[BYTES];
        Arrays.fill(content, (byte) with);
        file.memory().writeBytes(content);
        return file;
    }

    @Test
    void whatWasSentStaysAsItWasWhenItsMemoryIsUsedAgain() throws IOException {
        try (ServerSocketChannel listener =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                SocketChannel server = listener.accept()) {
            MemoryFile file = filled('a');
            assertThat(file.channel().transferTo(0, BYTES, server)).isEqualTo(BYTES);
            file.memory().release();
            file.close();
            MemoryFile other = filled('b');

            byte[] received = client.socket().getInputStream().readNBytes(BYTES);

            assertThat(received).containsOnly('a');
            other.memory().release();
            other.close();
        }
    }

    @Test
    void givesNoMoreThanItsBound() {
        List<MemoryFile> files = new ArrayList<>();
        Optional<MemoryFile> next = MemoryFile.allocate(1);
        while (next.isPresent()) {
            files.add(next.get());
            next = MemoryFile.allocate(1);
        }
        assertThat(files).hasSizeBetween(1, MemoryFile.MOST);
        files.forEach(MemoryFile::close);
        Optional<MemoryFile> again = MemoryFile.allocate(1);
        assertThat(again).isPresent();
        again.get().close();
    }
}
