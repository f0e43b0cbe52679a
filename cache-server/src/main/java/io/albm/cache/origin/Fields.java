// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The header fields of a message, in order. Names are compared without case. */
public interface Fields {

    /** The values of all lines of that name, in order. */
    List<String> all(String name);

    /** Every line's name and value, in order. */
    void forEach(BiConsumer<String, String> line);

    default boolean has(String name) {
        return !all(name).isEmpty();
    }

    /** The value of the first line of that name, if there is one. */
    default @Nullable String first(String name) {
        List<String> values = all(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    /** The value of the only line of that name; null if there is none, or more than one. */
    default @Nullable String only(String name) {
        List<String> values = all(name);
        return values.size() == 1 ? values.getFirst() : null;
    }
}
