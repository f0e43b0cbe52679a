// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.node.NodeId;
import io.albm.storage.Content;
import io.albm.storage.Segment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which file needs each segment, and how many bytes are in the table itself. Not thread-safe. */
final class Segments {
    /**
     * Bytes of files in the table: snapshots have them all, and the log each once more. Whoever has more writes them to nodes.
     */
    static final long MOST_INLINE_BYTES = 64 << 20;

    private final Map<String, FileNode> files = new HashMap<>();
    private long inlineBytes;

    /** Gives a file other content; the answer is what nobody needs any more. */
    List<Segment> put(FileNode file, Content content) {
        List<Segment> freed = file.content.notIn(content);
        for (Segment segment : freed) {
            files.remove(segment.generation());
            inlineBytes -= segment.inlineBytes();
        }
        for (Segment segment : content.notIn(file.content)) {
            files.put(segment.generation(), file);
            inlineBytes += segment.inlineBytes();
        }
        file.content = content;
        return freed;
    }

    /** Bytes of files in the table. */
    long inlineBytes() {
        return inlineBytes;
    }

    /** Bytes of files that the table has room for. */
    long room() {
        return MOST_INLINE_BYTES - inlineBytes;
    }

    boolean isNeeded(String generation, NodeId node) {
        FileNode file = files.get(generation);
        return file != null
                && file.content
                        .segment(generation)
                        .filter(segment -> segment.nodes().contains(node))
                        .isPresent();
    }
}
