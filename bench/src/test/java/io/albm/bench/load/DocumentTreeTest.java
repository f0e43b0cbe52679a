// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DocumentTreeTest {
    @Test
    void writesTheSameDocumentsForTheSameSeed(@TempDir Path first, @TempDir Path second, @TempDir Path other)
            throws IOException {
        DocumentTree tree = DocumentTree.generate(first, 42, 150);

        assertThat(DocumentTree.generate(second, 42, 150).documents()).isEqualTo(tree.documents());
        assertThat(DocumentTree.generate(other, 43, 150).documents()).isNotEqualTo(tree.documents());
        assertThat(tree.documents())
                .hasSize(150)
                .allSatisfy(document -> assertThat(document.length()).isBetween(1L, 2L << 20));
    }

    @Test
    void encodesNamesAndLeavesOutLinksAndHiddenFiles(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("a b"));
        Files.writeString(root.resolve("a b").resolve("100% ü.txt"), "text");
        Files.writeString(root.resolve(".secret"), "hidden");
        Files.createSymbolicLink(root.resolve("link"), root.resolve("a b"));

        DocumentTree tree = DocumentTree.scan(root, 10);

        assertThat(tree.documents()).extracting(Document::path).containsExactly("/a%20b/100%25%20%C3%BC.txt");
        assertThat(tree.totalBytes()).isEqualTo(4);
    }

    @Test
    void asksForTheMostPopularTwiceAsOftenAsForTheNext() {
        Zipf zipf = new Zipf(100);
        SplittableRandom random = new SplittableRandom(3);
        int[] drawn = new int[100];
        for (int i = 0; i < 100_000; i++) {
            drawn[zipf.next(random)]++;
        }

        assertThat((double) drawn[0] / drawn[1]).isBetween(1.8, 2.2);
        assertThat(drawn[99]).isPositive();
    }

    @Test
    void drawsSizesWithAMedianOfTheBodyAndAHeavyTail() {
        SurgeSizes sizes = new SurgeSizes(new SplittableRandom(5), Integer.MAX_VALUE);
        long[] drawn = LongStream.generate(sizes::next).limit(20_001).sorted().toArray();

        assertThat(drawn[10_000]).isBetween(10_000L, 16_000L);
        assertThat(drawn[19_900]).isGreaterThan(500_000L);
    }
}
