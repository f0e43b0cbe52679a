// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must be in a request to the {@link FileTable}, whoever sent it: what the table writes into its log it has to be able to read
 * and to make again, or it cannot start any more. All fail with {@link IllegalArgumentException}, which names the field.
 */
final class RequestFields {
    private static final long MOST_CRC32C = 0xFFFF_FFFFL;

    /** As Linux has it, in bytes; no character is less. */
    private static final int LONGEST_ATTRIBUTE_NAME = 255;

    private RequestFields() {}

    /** JSON may lack it. */
    static void require(@Nullable Object value, String field) {
        if (value == null) {
            throw new IllegalArgumentException("a request without " + field);
        }
    }

    /** There is a name; which ones it takes the table says by itself. */
    static void requireName(@Nullable String name, String field) {
        require(name, field);
        if (name != null && name.isEmpty()) {
            throw new IllegalArgumentException("a request with an empty " + field);
        }
    }

    static void requireAttribute(@Nullable String name) {
        requireName(name, "name");
        if (name != null && name.length() > LONGEST_ATTRIBUTE_NAME) {
            throw new IllegalArgumentException("an attribute's name of " + name.length()
                    + " characters: expected at most " + LONGEST_ATTRIBUTE_NAME);
        }
    }

    static void requireRange(long value, long least, long most, String field) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(field + " " + value + ": expected " + least + " to " + most);
        }
    }

    static void requireCrc32c(long crc32c) {
        requireRange(crc32c, 0, MOST_CRC32C, "crc32c");
    }

    static void requireGeneration(@Nullable String generation) {
        require(generation, "generation");
        if (generation != null) {
            Generation _ = Generation.parse(generation);
        }
    }

    /** It can be stored, read and moved. */
    static void requireSegment(@Nullable Segment segment) {
        require(segment, "segment");
        if (segment != null) {
            requireGeneration(segment.generation());
            require(segment.geometry(), "geometry");
            requireRange(segment.length(), 0, Long.MAX_VALUE, "length");
            if (!segment.isInline()) {
                StripeLayout _ = segment.layout();
            }
        }
    }

    /** Each is a part of the segment. */
    static void requireParts(@Nullable Segment segment, List<Extent> ranges) {
        for (Extent range : ranges) {
            if (segment == null
                    || !segment.generation().equals(range.generation())
                    || range.from() + range.length() > segment.length()) {
                throw new IllegalArgumentException(range + " of " + segment + ": expected a part of it");
            }
        }
    }
}
