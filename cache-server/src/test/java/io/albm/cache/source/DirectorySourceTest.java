// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectorySourceTest {

    @TempDir
    private Path temp;

    private Path root;
    private DirectorySource source;

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectory(temp.resolve("root"));
        Files.createDirectory(root.resolve("sub"));
        Files.writeString(root.resolve("a.txt"), "hello");
        Files.writeString(temp.resolve("secret.txt"), "secret");
        source = new DirectorySource(root);
    }

    @Test
    void readsAFileOfTheTree() throws IOException {
        assertThat(read("/a.txt")).isEqualTo("hello");
    }

    @Test
    void readsAnyPartOfAFilePastThePageCache() throws IOException {
        byte[] content = new byte[2_500_001];
        new SplittableRandom(1).nextBytes(content);
        Files.write(root.resolve("large"), content);
        DirectorySource direct = DirectorySource.pastPageCache(root);
        try (OpenDocument open = direct.open(new DocumentPath("/large"))) {
            for (int from : new int[] {0, 1, 4096, 300_000, 2_500_000}) {
                ByteBuf into = Unpooled.buffer();
                open.read(into, from, content.length - from);
                assertThat(ByteBufUtil.getBytes(into)).isEqualTo(Arrays.copyOfRange(content, from, content.length));
            }
            assertThatThrownBy(() -> open.read(Unpooled.buffer(), 2_500_000, 2))
                    .isInstanceOf(ChangedDocumentException.class);
        }
    }

    @Test
    void followsALinkThatStaysInside() throws IOException {
        Files.createSymbolicLink(root.resolve("sub/link.txt"), Path.of("../a.txt"));

        assertThat(read("/sub/link.txt")).isEqualTo("hello");
    }

    @Test
    void refusesLinksThatLeaveTheTree() throws IOException {
        Files.createSymbolicLink(root.resolve("file-link"), temp.resolve("secret.txt"));
        Files.createSymbolicLink(root.resolve("directory-link"), temp);
        Files.createSymbolicLink(root.resolve("relative-link"), Path.of("../secret.txt"));
        Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));

        assertMissing("/file-link");
        assertMissing("/directory-link/secret.txt");
        assertMissing("/relative-link");
        assertMissing("/loop");
    }

    @Test
    void refusesADirectoryWhoseNameStartsLikeTheRoots() throws IOException {
        Path sibling = Files.createDirectory(temp.resolve("root-private"));
        Files.writeString(sibling.resolve("x"), "secret");
        Files.createSymbolicLink(root.resolve("up"), sibling);

        assertMissing("/up/x");
    }

    @Test
    void findsNothingUnderImpossibleNames() {
        assertMissing("/none");
        assertMissing("/a.txt/below-a-file");
        assertMissing("/" + "x".repeat(300));
        assertMissing("/" + "deep/".repeat(2000) + "x");
    }

    @Test
    void tellsADirectoryFromAMissingDocument() {
        assertThatThrownBy(() -> source.version(new DocumentPath("/sub"))).isInstanceOf(DirectoryException.class);
    }

    @Test
    void refusesARootThatIsAFile() {
        assertThatThrownBy(() -> new DirectorySource(root.resolve("a.txt"))).isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void givesAnotherVersionToAReplacementOfSameSizeAndTime() throws IOException {
        Version before = source.version(new DocumentPath("/a.txt"));
        Path replacement = Files.writeString(root.resolve("new"), "HELLO");
        Files.setLastModifiedTime(replacement, FileTime.from(before.modified()));
        Files.move(replacement, root.resolve("a.txt"), StandardCopyOption.ATOMIC_MOVE);

        Version after = source.version(new DocumentPath("/a.txt"));

        assertThat(after.bytes()).isEqualTo(before.bytes());
        assertThat(after.modified()).isEqualTo(before.modified());
        assertThat(after).isNotEqualTo(before);
    }

    @Test
    void refusesToReadOnWhenTheFileWasTruncated() throws IOException {
        try (OpenDocument open = source.open(new DocumentPath("/a.txt"))) {
            Files.writeString(root.resolve("a.txt"), "h");

            assertChanged(open);
        }
    }

    @Test
    void refusesToReadOnWhenTheFileWasReplacedOrRemoved() throws IOException {
        try (OpenDocument open = source.open(new DocumentPath("/a.txt"))) {
            Files.delete(root.resolve("a.txt"));
            assertChanged(open);

            Files.writeString(root.resolve("a.txt"), "other");
            assertChanged(open);
        }
    }

    private void assertChanged(OpenDocument open) {
        assertThatThrownBy(() -> open.read(Unpooled.buffer(), 0, 5)).isInstanceOf(ChangedDocumentException.class);
    }

    private void assertMissing(String path) {
        assertThatThrownBy(() -> source.open(new DocumentPath(path))).isInstanceOf(MissingDocumentException.class);
        assertThatThrownBy(() -> source.version(new DocumentPath(path))).isInstanceOf(MissingDocumentException.class);
    }

    private String read(String path) throws IOException {
        ByteBuf bytes = Unpooled.buffer();
        try (OpenDocument open = source.open(new DocumentPath(path))) {
            open.read(bytes, 0, Math.toIntExact(open.version().bytes()));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
