// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import java.util.Map;
import java.util.Optional;

/** Writes the keys of one frontend, route or pool. */
record Entries(String kind, String name, Map<String, String> settings) {
    void put(String field, String value) {
        settings.put(kind + "." + name + "." + field, value);
    }

    void put(String field, Optional<String> value) {
        value.ifPresent(text -> put(field, text));
    }
}
