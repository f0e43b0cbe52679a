// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.albm.core.node.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the bytes of a file lie: enough to read them without asking anybody else. Ranges that no extent covers are holes and
 * read as zeros. Immutable.
 *
 * @param length bytes of the file
 * @param crc32c CRC32C of all bytes, as an unsigned number; {@link #UNKNOWN} once the file was changed in part
 * @param segments what the extents are parts of, each needed by at least one
 * @param extents which segment has which range, in order, none behind {@code length}
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Content(long length, long crc32c, List<Segment> segments, List<Extent> extents) {
    /** Stands for a checksum that nobody knows. */
    public static final long UNKNOWN = -1;

    /** A file without bytes. */
    public static final Content EMPTY = new Content(0, 0, List.of(), List.of());

    public Content {
        segments = segments == null ? List.of() : List.copyOf(segments);
        extents = extents == null ? List.of() : List.copyOf(extents);
    }

    /** A file that is one segment from its start to its end. */
    public static Content of(Segment segment, long crc32c) {
        return segment.length() == 0
                ? EMPTY
                : new Content(
                        segment.length(),
                        crc32c,
                        List.of(segment),
                        List.of(new Extent(0, segment.length(), segment.generation(), 0)));
    }

    /** This content with ranges of it taken by another segment; longer, if a range goes on behind its end. */
    public Content with(Segment segment, List<Extent> ranges) {
        ExtentMap map = new ExtentMap(extents);
        long end = length;
        for (Extent range : ranges) {
            map.put(range);
            end = Math.max(end, range.end());
        }
        List<Segment> all = new ArrayList<>(segments);
        all.add(segment);
        return of(end, all, map);
    }

    /** This content cut off at a length, or with a hole up to it. */
    public Content cutTo(long newLength) {
        ExtentMap map = new ExtentMap(extents);
        map.cut(newLength, Long.MAX_VALUE);
        return newLength == 0 ? EMPTY : of(newLength, segments, map);
    }

    /** This content with a hole. */
    public Content without(long start, long end) {
        ExtentMap map = new ExtentMap(extents);
        map.cut(start, end);
        return of(length, segments, map);
    }

    private static Content of(long length, List<Segment> candidates, ExtentMap map) {
        Set<String> needed = map.generations();
        List<Segment> segments = candidates.stream()
                .filter(segment -> needed.contains(segment.generation()))
                .toList();
        return new Content(length, UNKNOWN, segments, map.extents());
    }

    /** The segments that the other content does not need. */
    public List<Segment> notIn(Content other) {
        if (segments.isEmpty() || other.segments.isEmpty()) {
            return segments;
        }
        Set<String> there = other.segments.stream().map(Segment::generation).collect(Collectors.toSet());
        return segments.stream()
                .filter(segment -> !there.contains(segment.generation()))
                .toList();
    }

    public Optional<Segment> segment(String generation) {
        return segments.stream()
                .filter(segment -> segment.generation().equals(generation))
                .findAny();
    }

    /** A number that other content has only by chance: generations are random. */
    public long fingerprint() {
        long print = length;
        for (Extent extent : extents) {
            print = 31 * print + extent.at();
            print = 31 * print + extent.from();
            print = 31 * print + Generation.parse(extent.generation()).low();
        }
        return print;
    }

    /** Bytes of all segments, without parity. */
    @JsonIgnore
    public long storedBytes() {
        return segments.stream().mapToLong(Segment::length).sum();
    }

    /** Bytes of it that the file table has. */
    @JsonIgnore
    public long inlineBytes() {
        return segments.stream().mapToLong(Segment::inlineBytes).sum();
    }

    /** The same bytes with {@code replacement} in the place of {@code lost} for one segment. */
    public Content movedTo(String generation, NodeId lost, NodeId replacement) {
        List<Segment> moved = segments.stream()
                .map(segment -> segment.generation().equals(generation) ? segment.movedTo(lost, replacement) : segment)
                .toList();
        return new Content(length, crc32c, moved, extents);
    }
}
