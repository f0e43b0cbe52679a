// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import io.albm.core.wire.WireBuffers;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.Generation;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a snapshot as bytes, which {@link LineReader} reads: inodes and names, of which there may be a million, field by
 * field; all others in JSON. A node's id is written once, and afterwards its place among those before it.
 */
final class LineWriter {
    static final int INODE = 1;
    static final int NAME = 2;
    static final int JSON = 3;

    static final int HAS_CONTENT = 1;
    static final int HAS_TARGET = 2;
    static final int IS_IMPLIED = 4;

    private final ByteBuf out;
    private final Map<NodeId, Integer> nodes = new HashMap<>();

    LineWriter(ByteBuf out) {
        this.out = out;
    }

    void write(MachineLine line) {
        switch (line.state()) {
            case SavedLine.Node node -> putNode(node);
            case SavedLine.Name name -> putName(name);
            case null, default -> {
                out.writeByte(JSON);
                putBytes(Json.bytes(line));
            }
        }
    }

    private void putName(SavedLine.Name name) {
        out.writeByte(NAME);
        WireBuffers.putVarint(out, name.parent());
        WireBuffers.putString(out, name.name());
        WireBuffers.putVarint(out, name.inode());
    }

    private void putNode(SavedLine.Node node) {
        Inode inode = node.inode();
        Content content = inode.content();
        byte[] target = inode.target();
        out.writeByte(INODE);
        out.writeByte((content == null ? 0 : HAS_CONTENT)
                | (target == null ? 0 : HAS_TARGET)
                | (node.implied() ? IS_IMPLIED : 0));
        WireBuffers.putVarint(out, inode.number());
        out.writeInt(inode.mode());
        WireBuffers.putVarint(out, inode.links());
        out.writeInt(inode.uid()).writeInt(inode.gid()).writeInt(inode.device());
        putInstant(inode.accessed());
        putInstant(inode.modified());
        putInstant(inode.changed());
        WireBuffers.putVarint(out, inode.parent());
        if (content != null) {
            putContent(content);
        }
        if (target != null) {
            putBytes(target);
        }
        WireBuffers.putVarint(out, node.attributes().size());
        node.attributes().forEach((name, value) -> {
            WireBuffers.putString(out, name);
            putBytes(value);
        });
    }

    private void putContent(Content content) {
        WireBuffers.putVarint(out, content.length());
        out.writeLong(content.crc32c());
        Map<String, Integer> places = new HashMap<>();
        WireBuffers.putVarint(out, content.segments().size());
        for (Segment segment : content.segments()) {
            places.put(segment.generation(), places.size());
            putSegment(segment);
        }
        WireBuffers.putVarint(out, content.extents().size());
        for (Extent extent : content.extents()) {
            WireBuffers.putVarint(out, extent.at());
            WireBuffers.putVarint(out, extent.length());
            WireBuffers.putVarint(out, Objects.requireNonNull(places.get(extent.generation()), "its segment"));
            WireBuffers.putVarint(out, extent.from());
        }
    }

    private void putSegment(Segment segment) {
        Generation generation = segment.generationId();
        out.writeLong(generation.high()).writeLong(generation.low());
        WireBuffers.putVarint(out, segment.length());
        WireBuffers.putVarint(out, segment.geometry().dataUnits());
        WireBuffers.putVarint(out, segment.geometry().parityUnits());
        WireBuffers.putVarint(out, segment.geometry().unitBytes());
        WireBuffers.putVarint(out, segment.nodes().size());
        segment.nodes().forEach(this::putNodeId);
        putBytes(segment.inline() == null ? null : segment.inline().toArray());
    }

    private void putNodeId(NodeId node) {
        Integer known = nodes.putIfAbsent(node, nodes.size());
        WireBuffers.putVarint(out, known == null ? nodes.size() - 1 : known);
        if (known == null) {
            WireBuffers.putString(out, node.value());
        }
    }

    private void putInstant(Instant instant) {
        out.writeLong(instant.getEpochSecond()).writeInt(instant.getNano());
    }

    private void putBytes(byte @Nullable [] bytes) {
        WireBuffers.putVarint(out, bytes == null ? 0 : bytes.length);
        if (bytes != null) {
            out.writeBytes(bytes);
        }
    }
}
