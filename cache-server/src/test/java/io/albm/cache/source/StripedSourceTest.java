// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.storage.PutMode;
import io.albm.storage.StripedStore;
import io.albm.storage.node.StorageRig;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StripedSourceTest {
    /** Several stripes of the rig's geometry, and a last one that is not full. */
    private static final int LARGE_BYTES = 900_001;

    @TempDir
    private static Path temp;

    private static StorageRig rig;
    private static StripedStore store;

    private static StripedSource source;

    @BeforeAll
    static void startNodes() throws IOException {
        rig = StorageRig.start(temp, 5);
        store = rig.store();
        source = new StripedSource(store.files(), "/www");
    }

    @AfterAll
    static void stopNodes() throws IOException {
        rig.close();
    }

    @Test
    void readsAFileUnderItsRootAndNoOther() throws IOException {
        put("/www/a.txt", "hello");
        put("/www2/a.txt", "another's");
        put("/a.txt", "another's");

        assertThat(read(source, "/a.txt")).isEqualTo("hello");
        assertThat(read(new StripedSource(store.files(), "/"), "/www2/a.txt")).isEqualTo("another's");
        assertThatThrownBy(() -> source.version(new DocumentPath("/b.txt")))
                .isInstanceOf(MissingDocumentException.class);
        assertThatThrownBy(() -> source.open(new DocumentPath("/" + "b".repeat(2000))))
                .isInstanceOf(MissingDocumentException.class);
    }

    @Test
    void readsAnyPartOfAFileAcrossStripes() throws IOException {
        byte[] content = new byte[LARGE_BYTES];
        new SplittableRandom(1).nextBytes(content);
        store.writeBytes("/www/large", content, PutMode.REPLACE);

        try (OpenDocument open = source.open(new DocumentPath("/large"))) {
            for (int from : new int[] {0, 1, 262_143, 262_144, 700_000, LARGE_BYTES - 1, LARGE_BYTES}) {
                ByteBuf into = Unpooled.buffer();
                open.read(into, from, LARGE_BYTES - from);
                assertThat(ByteBufUtil.getBytes(into)).isEqualTo(Arrays.copyOfRange(content, from, LARGE_BYTES));
            }
            assertThatThrownBy(() -> open.read(Unpooled.buffer(), LARGE_BYTES - 1, 2))
                    .isInstanceOf(ChangedDocumentException.class);
        }
    }

    @Test
    void readsWhatALostNodeHeld() throws IOException {
        byte[] content = new byte[LARGE_BYTES];
        new SplittableRandom(2).nextBytes(content);
        store.writeBytes("/www/kept", content, PutMode.REPLACE);
        rig.stopNode("n-2");
        try (OpenDocument open = source.open(new DocumentPath("/kept"))) {
            ByteBuf into = Unpooled.buffer();
            open.read(into, 0, LARGE_BYTES);
            assertThat(ByteBufUtil.getBytes(into)).isEqualTo(content);
        } finally {
            rig.startNode("n-2");
        }
    }

    @Test
    void tellsOneVersionFromTheNextAndMixesNone() throws IOException {
        byte[] first = new byte[LARGE_BYTES];
        Arrays.fill(first, (byte) 1);
        store.writeBytes("/www/changing", first, PutMode.REPLACE);
        DocumentPath path = new DocumentPath("/changing");
        Version before = source.version(path);
        try (OpenDocument open = source.open(path)) {
            ByteBuf into = Unpooled.buffer();
            open.read(into, 0, 1000);
            byte[] second = first.clone();
            Arrays.fill(second, (byte) 2);
            store.writeBytes("/www/changing", second, PutMode.REPLACE);

            assertThat(source.version(path)).isNotEqualTo(before);
            assertThat(open.version()).isEqualTo(before);
            assertThatThrownBy(() -> open.read(into, 1000, LARGE_BYTES - 1000))
                    .isInstanceOf(ChangedDocumentException.class);
        }
    }

    @Test
    void takesAFileInAnotherCodingUnlessItIsOlder() throws IOException {
        put("/www/page.html.gz", "old");
        put("/www/page.html", "plain");
        DocumentPath gzip = new DocumentPath("/page.html").in(Coding.GZIP);

        assertThatThrownBy(() -> source.version(gzip)).isInstanceOf(MissingDocumentException.class);
        put("/www/page.html.gz", "new");
        try (OpenDocument open = source.open(gzip)) {
            ByteBuf into = Unpooled.buffer();
            open.read(into, 0, (int) open.bytes());
            assertThat(into.toString(StandardCharsets.US_ASCII)).isEqualTo("new");
        }
    }

    @Test
    void refusesARootThatNothingCanBeUnder() {
        assertThatThrownBy(() -> new StripedSource(store.files(), "/www/"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/www/");
    }

    /** Files are told apart in time by milliseconds. */
    private static void put(String path, String content) throws IOException {
        Instant written = store.writeBytes(path, content.getBytes(StandardCharsets.US_ASCII), PutMode.REPLACE)
                .modified();
        while (!Instant.now().isAfter(written.plusMillis(1))) {
            Thread.onSpinWait();
        }
    }

    private static String read(StripedSource source, String path) throws IOException {
        try (OpenDocument open = source.open(new DocumentPath(path))) {
            ByteBuf into = Unpooled.buffer();
            open.read(into, 0, (int) open.bytes());
            return into.toString(StandardCharsets.US_ASCII);
        }
    }
}
