// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class MemoryFileTest {
    private static final String DESCRIPTORS = "/proc/self/fd";

    @Test
    void holdsItsBytesWithoutADescriptor() {
        byte[] content = new byte[100_000];
        Arrays.fill(content, (byte) 'a');
        MemoryFile file = MemoryFile.allocate(content.length).orElseThrow();

        file.memory().writeBytes(content);

        assertThat(file.memory().isReadable(content.length)).isTrue();
        assertThat(Path.of(DESCRIPTORS).toFile().listFiles())
                .extracting(MemoryFileTest::target)
                .noneMatch(target -> target.contains("memfd:albm-document"));
        file.memory().release();
        file.close();
    }

    private static String target(File descriptor) {
        try {
            return Files.readSymbolicLink(descriptor.toPath()).toString();
        } catch (IOException e) {
            return "closed meanwhile";
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
