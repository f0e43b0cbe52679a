// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.cgroup.MemoryGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pool of eight frames, documents of four, and requests that may hold six. */
class OwnMemoryTest {
    private static final int FRAMES = 8;
    private static final int DOCUMENTS = 4;
    private static final int MOST_HELD = 6;
    private static final int MANY_LOOKS = 200;

    @TempDir
    private Path directory;

    private OwnMemory memory;

    @BeforeEach
    void open() throws IOException {
        Path documents = Files.write(directory.resolve("documents"), new byte[DOCUMENTS * OwnMemory.FRAME]);
        memory = new OwnMemory(documents, FRAMES, MOST_HELD);
        memory.restore();
    }

    @Test
    void documentsStayInMemoryWhileThereIsRoom() {
        assertThat(memory.hold(4L * OwnMemory.FRAME)).isPresent();
        long before = memory.reads();
        memory.look(MANY_LOOKS);

        assertThat(memory.reads()).isEqualTo(before);
        assertThat(memory.documentBytes()).isEqualTo((long) DOCUMENTS * OwnMemory.FRAME);
    }

    @Test
    void requestsPushDocumentsOutWhichMustThenBeRead() {
        assertThat(memory.hold(6L * OwnMemory.FRAME)).isPresent();
        long before = memory.reads();
        memory.look(MANY_LOOKS);

        assertThat(memory.reads() - before).isBetween(1L, MANY_LOOKS - 1L);
        assertThat(memory.documentBytes()).isEqualTo(2L * OwnMemory.FRAME);
    }

    @Test
    void documentsComeBackWhenRequestsAreOver() {
        memory.hold(6L * OwnMemory.FRAME).orElseThrow().close();
        memory.restore();
        long before = memory.reads();
        memory.look(MANY_LOOKS);

        assertThat(memory.reads()).isEqualTo(before);
    }

    @Test
    void refusesWhatIsNotThere() {
        ServerMemory.Held held = memory.hold(5L * OwnMemory.FRAME).orElseThrow();
        assertThat(memory.hold(2L * OwnMemory.FRAME)).isEmpty();

        held.close();
        assertThat(memory.hold(2L * OwnMemory.FRAME)).isPresent();
    }

    @Test
    void anAgentReadsItsBooksLikeAControlGroup() throws IOException {
        assertThat(memory.hold(3L * OwnMemory.FRAME)).isPresent();
        try (Books books = Books.open(directory.resolve("books"), 20L * OwnMemory.FRAME);
                MemoryGroup group = MemoryGroup.open(directory.resolve("books"))) {
            books.write(memory.usedBytes(), memory.documentBytes(), memory.reads());

            assertThat(group.headroomBytes()).isEqualTo(17L * OwnMemory.FRAME);
            assertThat(group.usageBytes()).isEqualTo(7L * OwnMemory.FRAME);
            assertThat(group.majorFaults()).isEqualTo(memory.reads());
        }
    }
}
