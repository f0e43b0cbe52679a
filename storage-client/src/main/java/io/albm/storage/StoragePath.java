// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The name of a file in the single I/O space: segments after slashes, such as {@code /jobs/7/rank-3}. Directories on
 * the way need not be made; a prefix that ends with a slash names what lies under it.
 *
 * @param value starts with a slash; at most 1024 bytes of UTF-8; no empty segment, no {@code .} or {@code ..}, no control
 *     characters
 */
public record StoragePath(String value) implements Comparable<StoragePath> {
    static final int MAX_BYTES = 1024;

    public StoragePath {
        require(value.length() > 1 && value.startsWith("/"), value, "a name after a slash, such as /jobs/7/rank-3");
        require(value.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES, value, "at most 1024 bytes");
        require(value.chars().noneMatch(Character::isISOControl), value, "no control characters");
        for (String segment : value.substring(1).split("/", -1)) {
            require(
                    !segment.isEmpty() && !segment.equals(".") && !segment.equals(".."),
                    value,
                    "no empty segment, no '.' and no '..'");
        }
    }

    /** Reads a path as a user writes it: the leading slash may be left out. */
    public static StoragePath of(String text) {
        return new StoragePath(text.startsWith("/") ? text : "/" + text);
    }

    private static void require(boolean condition, String value, String expected) {
        if (!condition) {
            throw new IllegalArgumentException("storage path '" + value + "': expected " + expected);
        }
    }

    /** The names between the slashes. */
    public List<String> segments() {
        return List.of(value.substring(1).split("/", -1));
    }

    /** The last name. */
    public String name() {
        return value.substring(value.lastIndexOf('/') + 1);
    }

    /** One path element for a tree in which a slash separates: the slash and the percent sign become {@code %2F} and {@code %25}. */
    String escaped() {
        return value.replace("%", "%25").replace("/", "%2F");
    }

    static StoragePath unescape(String element) {
        return new StoragePath(element.replace("%2F", "/").replace("%25", "%"));
    }

    @Override
    public int compareTo(StoragePath other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
