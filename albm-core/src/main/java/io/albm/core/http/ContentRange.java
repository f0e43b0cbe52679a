// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The value of a {@code Content-Range} header whose total is known.
 *
 * @param first the first byte's position
 * @param last the last byte's position, inclusive
 * @param total the length of the whole document
 */
public record ContentRange(long first, long last, long total) {
    private static final Pattern FORM = Pattern.compile("bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})");

    /** Reads the header's value; empty if it is of another form or contradicts itself. */
    public static Optional<ContentRange> parse(String value) {
        Matcher matcher = FORM.matcher(value);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var range = new ContentRange(
                Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3)));
        return range.first <= range.last && range.last < range.total ? Optional.of(range) : Optional.empty();
    }

    /** Bytes of the part. */
    public long length() {
        return last - first + 1;
    }
}
