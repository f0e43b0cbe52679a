// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SettledSourceTest {

    private static final DocumentPath PATH = new DocumentPath("/a");
    private static final Duration TICK = Version.TICK;

    private final OneFile file = new OneFile();
    private final SettledSource source = new SettledSource(file, () -> file.now, file::pause);

    /** A file whose clock goes on only while somebody waits. */
    private static final class OneFile implements DocumentSource {
        private Instant now = Instant.parse("2026-01-01T00:00:00Z");
        private Version version = written(now.minus(TICK.multipliedBy(2)));
        private Runnable whileWaiting = () -> {};
        private int pauses;
        private int open;

        private static Version written(Instant changed) {
            return new Version(1, changed, changed, 1);
        }

        private void pause(Duration length) {
            pauses++;
            now = now.plus(length);
            whileWaiting.run();
        }

        @Override
        public Version version(DocumentPath path) {
            return version;
        }

        @Override
        public OpenDocument open(DocumentPath path) {
            open++;
            Version opened = version;
            return new OpenDocument() {
                @Override
                public Version version() {
                    return opened;
                }

                @Override
                public void read(ByteBuf into, long position, int bytes) {}

                @Override
                public void close() {
                    open--;
                }
            };
        }
    }

    private void assertOpensAfter(int pauses) throws IOException {
        try (OpenDocument open = source.open(PATH)) {
            assertThat(open.version()).isEqualTo(file.version);
        }
        assertThat(file.pauses).isEqualTo(pauses);
        assertThat(file.open).isZero();
    }

    @Test
    void opensWhatWasLeftAloneAtOnce() throws IOException {
        assertOpensAfter(0);
    }

    @Test
    void waitsForATickAfterAChange() throws IOException {
        file.version = OneFile.written(file.now.minus(TICK.dividedBy(2)));

        assertOpensAfter(1);
    }

    @Test
    void waitsOnForAWriterThatIsNotDone() throws IOException {
        file.version = OneFile.written(file.now);
        file.whileWaiting = () -> file.version = file.pauses < 3 ? OneFile.written(file.now) : file.version;

        assertOpensAfter(3);
    }

    @Test
    void watchesAFileWhoseClockIsAheadOfOurs() throws IOException {
        file.version = OneFile.written(file.now.plusSeconds(3600));

        assertOpensAfter(1);
    }

    @Test
    void trustsNoModificationTime() throws IOException {
        Instant changed = file.now.minus(TICK.multipliedBy(2));
        file.version = new Version(1, file.now.plusSeconds(3600), changed, 1);

        assertOpensAfter(0);
    }

    @Test
    void opensNothingThatKeepsChanging() {
        file.version = OneFile.written(file.now);
        file.whileWaiting = () -> file.version = OneFile.written(file.now);

        assertThatThrownBy(() -> source.open(PATH))
                .isInstanceOf(ChangedDocumentException.class)
                .hasMessageContaining("/a keeps changing");
        assertThat(file.open).isZero();
    }
}
