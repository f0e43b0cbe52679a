// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a Range header asks of a document (RFC 9110, section 14).
 *
 * <p>A few ranges apart from each other are what readers of documents with an index ask for. Many, or overlapping ones,
 * ask for more bytes than there are, which is how servers have been worn out: such a header is ignored, as the RFC allows.
 */
public sealed interface ByteRange {

    /**
     * No range, or one that is ignored: malformed, of another unit, too many parts, parts that overlap, or of an empty
     * document, of which no part can be named (section 14.2 permits that).
     */
    record Whole() implements ByteRange {}

    /**
     * Parts that the document has, at least one, in the order asked for.
     *
     * @param parts at most {@value #MOST_PARTS}, none of which overlap
     */
    record Parts(List<Part> parts) implements ByteRange {}

    /** Valid ranges of which the document has no byte. */
    record Unsatisfiable() implements ByteRange {}

    /**
     * A part of a document.
     *
     * @param first position of the first byte, from 0
     * @param last position of the last byte, inclusive
     */
    record Part(long first, long last) {
        public long bytes() {
            return last - first + 1;
        }

        private boolean overlaps(Part other) {
            return first <= other.last && other.first <= last;
        }
    }

    String UNIT = "bytes=";
    int MOST_PARTS = 16;

    /**
     * Reads a Range header.
     *
     * @param header the Range header, if there is one
     * @param bytes size of the document
     */
    static ByteRange parse(@Nullable String header, long bytes) {
        if (header == null || bytes == 0 || !header.regionMatches(true, 0, UNIT, 0, UNIT.length())) {
            return new Whole();
        }
        String[] ranges = header.substring(UNIT.length()).split(",", MOST_PARTS + 1);
        return ranges.length > MOST_PARTS ? new Whole() : parts(ranges, bytes);
    }

    private static ByteRange parts(String[] ranges, long bytes) {
        List<Part> parts = new ArrayList<>();
        for (String range : ranges) {
            Optional<Part> part = part(range.strip());
            if (part.isEmpty()) {
                return new Whole();
            }
            Part clipped = clipped(part.get(), bytes);
            if (parts.stream().anyMatch(clipped::overlaps)) {
                return new Whole();
            }
            if (clipped.bytes() > 0) {
                parts.add(clipped);
            }
        }
        return parts.isEmpty() ? new Unsatisfiable() : new Parts(parts);
    }

    /** A range as it stands there; a suffix has a negative first position. */
    private static Optional<Part> part(String range) {
        int dash = range.indexOf('-');
        if (dash < 0) {
            return Optional.empty();
        }
        String first = range.substring(0, dash).strip();
        String last = range.substring(dash + 1).strip();
        if (first.isEmpty() && isNumber(last)) {
            return Optional.of(suffix(number(last)));
        }
        if (!isNumber(first) || !(isNumber(last) || last.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(new Part(number(first), last.isEmpty() ? Long.MAX_VALUE : number(last)))
                .filter(part -> part.first <= part.last);
    }

    private static Part suffix(long bytes) {
        return bytes == 0 ? new Part(Long.MAX_VALUE, Long.MAX_VALUE) : new Part(-bytes, Long.MAX_VALUE);
    }

    /** What the document has of it; without a byte, if it has none. */
    private static Part clipped(Part part, long bytes) {
        long first = part.first < 0 ? Math.max(0, bytes + part.first) : part.first;
        return first >= bytes ? new Part(0, -1) : new Part(first, Math.min(part.last, bytes - 1));
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Beyond 18 digits no document reaches; the largest number means the same. */
    private static long number(String digits) {
        return digits.length() > 18 ? Long.MAX_VALUE - 1 : Long.parseLong(digits);
    }
}
