// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.InlineBytes;
import io.albm.storage.Segment;
import io.albm.storage.StripeGeometry;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineReaderTest {
    private static final String STRIPED = "0123456789abcdeffedcba9876543210";
    private static final String INLINE = "ffffffffffffffff0000000000000001";
    private static final List<SavedLine> LINES = List.of(
            new SavedLine.Next(Long.MAX_VALUE),
            file(content(), Map.of("user.a", new byte[] {1, -1}, "user.empty", new byte[0])),
            file(Content.EMPTY, Map.of()),
            symbolicLink(new byte[] {'a', 0, -128}),
            directory(),
            new SavedLine.Name(1, "naïve \uD83D\uDE00", 7),
            new SavedLine.Kept(7, "client"));

    private static Content content() {
        StripeGeometry geometry = new StripeGeometry(2, 1, 65536);
        List<NodeId> nodes = List.of(new NodeId("n-1"), new NodeId("n-2"), new NodeId("n-3"));
        return new Content(
                1L << 40,
                Content.UNKNOWN,
                List.of(
                        new Segment(STRIPED, 300_000, geometry, nodes),
                        new Segment(INLINE.replace('1', '2'), 9, geometry, nodes.reversed()),
                        Segment.ofInline(INLINE, new InlineBytes(new byte[] {5, 6, 7}))),
                List.of(
                        new Extent(0, 3, INLINE, 0),
                        new Extent(1000, 200_000, STRIPED, 100_000),
                        new Extent((1L << 40) - 9, 9, INLINE.replace('1', '2'), 0)));
    }

    private static FileNode node(int mode) {
        FileNode node = new FileNode(7, mode, Instant.MIN);
        node.links = 2;
        node.uid = -2;
        node.gid = 3;
        node.device = 4;
        node.modified = Instant.ofEpochSecond(-1, 999_999_999);
        node.changed = Instant.MAX;
        return node;
    }

    private static SavedLine file(Content content, Map<String, byte[]> attributes) {
        FileNode node = node(0100644);
        node.content = content;
        node.attributes.putAll(attributes);
        return new SavedLine.Node(node.inode(), node.attributes, false);
    }

    private static SavedLine symbolicLink(byte[] target) {
        FileNode node = node(0120777);
        node.target = target;
        return new SavedLine.Node(node.inode(), node.attributes, false);
    }

    private static SavedLine directory() {
        FileNode node = node(0040755);
        node.parent = new FileNode(5, 0040755, Instant.EPOCH);
        return new SavedLine.Node(node.inode(), node.attributes, true);
    }

    @Test
    void readsEveryFieldThatWasWritten() {
        assertThat(LineBytes.read(LineBytes.of(LINES)))
                .usingRecursiveComparison()
                .isEqualTo(LINES);
    }

    @Test
    void takesNoPartOfALine() {
        for (SavedLine line : LINES) {
            byte[] whole = LineBytes.of(List.of(line));
            for (int length = 1; length < whole.length; length++) {
                byte[] part = Arrays.copyOf(whole, length);
                assertThatExceptionOfType(WireException.class)
                        .isThrownBy(() -> LineBytes.read(part))
                        .extracting(WireException::code)
                        .isEqualTo(WireCode.MALFORMED);
            }
        }
    }

    @Test
    void whateverItIsGivenItReadsOrRefuses() {
        byte[] whole = LineBytes.of(LINES);
        Random random = new Random(20261126);
        int refused = 0;
        for (int n = 0; n < 20_000; n++) {
            byte[] spoilt = whole.clone();
            spoilt[random.nextInt(spoilt.length)] = (byte) random.nextInt();
            try {
                LineBytes.read(spoilt);
            } catch (WireException e) {
                assertThat(e.code()).isEqualTo(WireCode.MALFORMED);
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }
}
