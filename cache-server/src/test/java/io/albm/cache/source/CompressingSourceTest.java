// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompressingSourceTest {

    private static final int BYTES = 100_000;
    private static final DocumentPath TEXT = new DocumentPath("/text.txt", Coding.GZIP);
    private static final DocumentPath NOISE = new DocumentPath("/noise.txt", Coding.GZIP);

    /** Books that a test can look into. */
    private static final class Books implements WorkingMemory {
        private long limit = 8 << 20;
        private long largestKept = 2 << 20;
        private long reserved;
        private long most;

        @Override
        public boolean tryReserve(long bytes) {
            if (reserved + bytes > limit) {
                return false;
            }
            reserved += bytes;
            most = Math.max(most, reserved);
            return true;
        }

        @Override
        public void free(long bytes) {
            reserved -= bytes;
        }

        @Override
        public long largestKeptBytes() {
            return largestKept;
        }
    }

    @TempDir
    private Path root;

    private final Books books = new Books();
    private final AtomicInteger reads = new AtomicInteger();
    private CompressingSource source;
    private byte[] text;

    @BeforeEach
    void putDocuments() throws IOException {
        text = "the same again and again. ".repeat(BYTES / 26).getBytes(StandardCharsets.US_ASCII);
        byte[] noise = new byte[BYTES];
        new Random(1).nextBytes(noise);
        Files.write(root.resolve("text.txt"), text);
        Files.write(root.resolve("noise.txt"), noise);
        Files.write(root.resolve("small.txt"), new byte[1000]);
        source = new CompressingSource(new CountingSource(new DirectorySource(root)), 1);
    }

    @AfterEach
    void givesAllMemoryBack() {
        assertThat(books.reserved).isZero();
    }

    /** Counts documents opened as they are. */
    private final class CountingSource implements DocumentSource {
        private final DocumentSource source;

        private CountingSource(DocumentSource source) {
            this.source = source;
        }

        @Override
        public Version version(DocumentPath path) throws IOException {
            return source.version(path);
        }

        @Override
        public OpenDocument open(DocumentPath path) throws IOException {
            OpenDocument open = source.open(path);
            return new OpenDocument() {
                @Override
                public Version version() {
                    return open.version();
                }

                @Override
                public void read(ByteBuf into, long position, int bytes) throws IOException {
                    reads.incrementAndGet();
                    open.read(into, position, bytes);
                }

                @Override
                public void close() throws IOException {
                    open.close();
                }
            };
        }
    }

    @Test
    void entersWhatItTakesIntoTheBooks() throws IOException {
        try (OpenDocument open = source.open(TEXT, books)) {
            assertThat(books.reserved).isBetween(open.bytes(), (long) BYTES);
            assertThat(books.most).isGreaterThan(BYTES * 9 / 10 + (256 << 10));
            ByteBuf gzip = Unpooled.buffer();
            open.read(gzip, 0, (int) open.bytes());
            assertThat(new GZIPInputStream(new ByteBufInputStream(gzip)).readAllBytes())
                    .isEqualTo(text);
        }
    }

    @Test
    void waitsForNobodyWhereMemoryIsShort() {
        books.limit = 100 << 10;

        assertThatThrownBy(() -> source.open(TEXT, books)).isInstanceOf(ShortOfMemoryException.class);
    }

    @Test
    void makesNothingThatIsTooLargeToKeep() throws IOException {
        books.largestKept = 100;
        assertThatThrownBy(() -> source.open(TEXT, books)).isInstanceOf(MissingDocumentException.class);

        books.largestKept = 2 << 20;
        source.open(TEXT, books).close();
    }

    @Test
    void compressesWhatDoesNotGetSmallerOnceAVersion() throws IOException {
        assertThatThrownBy(() -> source.open(NOISE, books)).isInstanceOf(MissingDocumentException.class);
        int once = reads.get();
        assertThat(once).isPositive();
        assertThatThrownBy(() -> source.open(NOISE, books)).isInstanceOf(MissingDocumentException.class);
        assertThat(reads).hasValue(once);

        Files.write(root.resolve("noise.txt"), text);
        source.open(NOISE, books).close();
    }

    @Test
    void seesAtALookThatADocumentIsOfNoSizeToCompress() {
        assertThatThrownBy(() -> source.version(new DocumentPath("/small.txt", Coding.GZIP)))
                .isInstanceOf(MissingDocumentException.class);
    }

    @Test
    void makesNothingForAStream() {
        assertThatThrownBy(() -> source.open(TEXT)).isInstanceOf(MissingDocumentException.class);
    }
}
