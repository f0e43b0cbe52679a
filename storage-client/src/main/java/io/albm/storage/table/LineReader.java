// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import io.albm.core.node.NodeId;
import io.albm.core.wire.WireBuffers;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.Generation;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.StripeGeometry;
import io.netty.buffer.ByteBuf;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads what {@link LineWriter} wrote; whatever cannot be read fails with {@link WireCode#MALFORMED}. */
final class LineReader {
    private final ByteBuf in;
    private final List<NodeId> nodes = new ArrayList<>();

    LineReader(ByteBuf in) {
        this.in = in;
    }

    /** All lines that are there. */
    List<MachineLine> readAll() {
        try {
            List<MachineLine> lines = new ArrayList<>();
            while (in.isReadable()) {
                lines.add(read());
            }
            return lines;
        } catch (IllegalArgumentException | DateTimeException | JsonException e) {
            throw new WireException(
                    WireCode.MALFORMED, "a snapshot of the file table holds a line with " + e.getMessage());
        }
    }

    private MachineLine read() {
        int kind = WireBuffers.getByte(in);
        return switch (kind) {
            case LineWriter.INODE -> MachineLine.of(getNode());
            case LineWriter.NAME ->
                MachineLine.of(new SavedLine.Name(
                        WireBuffers.getVarint(in), WireBuffers.getString(in), WireBuffers.getVarint(in)));
            case LineWriter.JSON -> Json.read(getBytes(), MachineLine.class);
            default -> throw new IllegalArgumentException("kind " + kind);
        };
    }

    private SavedLine.Node getNode() {
        int flags = WireBuffers.getByte(in);
        long number = WireBuffers.getVarint(in);
        int mode = WireBuffers.getInt(in);
        int links = getCount();
        int uid = WireBuffers.getInt(in);
        int gid = WireBuffers.getInt(in);
        int device = WireBuffers.getInt(in);
        Instant accessed = getInstant();
        Instant modified = getInstant();
        Instant changed = getInstant();
        long parent = WireBuffers.getVarint(in);
        Content content = (flags & LineWriter.HAS_CONTENT) == 0 ? null : getContent();
        byte[] target = (flags & LineWriter.HAS_TARGET) == 0 ? null : getBytes();
        Map<String, byte[]> attributes = getAttributes();
        Inode inode = new Inode(
                number,
                mode,
                links,
                uid,
                gid,
                device,
                accessed,
                modified,
                changed,
                content,
                target,
                List.copyOf(attributes.keySet()),
                parent);
        return new SavedLine.Node(inode, attributes, (flags & LineWriter.IS_IMPLIED) != 0);
    }

    private Map<String, byte[]> getAttributes() {
        Map<String, byte[]> attributes = new TreeMap<>();
        for (int left = getCount(); left > 0; left--) {
            attributes.put(WireBuffers.getString(in), getBytes());
        }
        return attributes;
    }

    private Content getContent() {
        long length = WireBuffers.getVarint(in);
        long crc32c = WireBuffers.getLong(in);
        List<Segment> segments = new ArrayList<>();
        for (int left = getCount(); left > 0; left--) {
            segments.add(getSegment());
        }
        List<Extent> extents = new ArrayList<>();
        for (int left = getCount(); left > 0; left--) {
            extents.add(new Extent(
                    WireBuffers.getVarint(in),
                    WireBuffers.getVarint(in),
                    one(segments).generation(),
                    WireBuffers.getVarint(in)));
        }
        return new Content(length, crc32c, segments, extents);
    }

    private Segment getSegment() {
        String generation = new Generation(WireBuffers.getLong(in), WireBuffers.getLong(in)).toString();
        long length = WireBuffers.getVarint(in);
        StripeGeometry geometry = new StripeGeometry(getCount(), getCount(), getCount());
        List<NodeId> on = new ArrayList<>();
        for (int left = getCount(); left > 0; left--) {
            on.add(getNodeId());
        }
        byte[] inline = getBytes();
        return new Segment(generation, length, geometry, on, inlineBytes(inline));
    }

    private static @Nullable InlineBytes inlineBytes(byte[] bytes) {
        return bytes.length == 0 ? null : new InlineBytes(bytes);
    }

    private NodeId getNodeId() {
        int place = getCount();
        if (place == nodes.size()) {
            nodes.add(new NodeId(WireBuffers.getString(in)));
        }
        return at(nodes, place);
    }

    private <T> T one(List<T> list) {
        return at(list, getCount());
    }

    private static <T> T at(List<T> list, int place) {
        if (place >= list.size()) {
            throw new IllegalArgumentException("number " + place + " of " + list.size());
        }
        return list.get(place);
    }

    private Instant getInstant() {
        return Instant.ofEpochSecond(WireBuffers.getLong(in), WireBuffers.getInt(in, 0, 999_999_999));
    }

    private byte[] getBytes() {
        int length = getCount();
        if (length > in.readableBytes()) {
            throw new IllegalArgumentException(length + " bytes of " + in.readableBytes());
        }
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    private int getCount() {
        long count = WireBuffers.getVarint(in);
        if (count > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("number " + count);
        }
        return (int) count;
    }
}
