// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * A range of a file and where its bytes are.
 *
 * @param at the range's start in the file, in bytes
 * @param length bytes, at least 1
 * @param generation the segment that has the bytes
 * @param from where they start in the segment, in bytes
 */
@JsonFormat(shape = JsonFormat.Shape.ARRAY)
public record Extent(long at, long length, String generation, long from) {
    public Extent {
        if (at < 0 || length < 1 || from < 0 || at + length < at || from + length < from) {
            throw new IllegalArgumentException("extent of " + length + " bytes at " + at + " from " + from
                    + ": expected at least 1 byte, at and from 0 or more");
        }
    }

    /** The first byte behind the range. */
    @JsonIgnore
    public long end() {
        return at + length;
    }

    /** The part of it from a place in the file on, which is within it. */
    Extent tail(long start) {
        return new Extent(start, end() - start, generation, from + start - at);
    }

    /** The part of it before a place in the file, which is within it. */
    Extent head(long end) {
        return new Extent(at, end - at, generation, from);
    }

    /** Whether the other goes on where this one ends, in the file and in the segment. */
    boolean isContinuedBy(Extent next) {
        return next.at == end() && next.generation.equals(generation) && next.from == from + length;
    }
}
