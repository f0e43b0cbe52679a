// SPDX-License-Identifier: Apache-2.0
package io.albm.core.config;

import io.albm.core.node.Role;
import io.albm.core.text.Nearest;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys that a role understands, in the order of its help. Immutable. */
public final class ConfigSchema {
    private final Map<String, Key<?>> keys;

    private ConfigSchema(Map<String, Key<?>> keys) {
        this.keys = keys;
    }

    /**
     * The keys of a role: its own first, then those that every role has.
     *
     * @param adminPort where health, metrics and JMX are served unless configured otherwise
     * @throws IllegalArgumentException if two keys have one name
     */
    public static ConfigSchema of(Role role, int adminPort, Key<?>... own) {
        Map<String, Key<?>> keys = new LinkedHashMap<>();
        Arrays.stream(own).forEach(key -> add(keys, key));
        CommonKeys.of(role, adminPort).forEach(key -> add(keys, key));
        return new ConfigSchema(keys);
    }

    /**
     * Just these keys, for a tool that is no role.
     *
     * @throws IllegalArgumentException if two keys have one name
     */
    public static ConfigSchema of(Key<?>... own) {
        Map<String, Key<?>> keys = new LinkedHashMap<>();
        Arrays.stream(own).forEach(key -> add(keys, key));
        return new ConfigSchema(keys);
    }

    /** All keys, in order. */
    public Collection<Key<?>> keys() {
        return List.copyOf(keys.values());
    }

    /** The key of that name. */
    public Optional<Key<?>> find(String name) {
        return Optional.ofNullable(keys.get(name));
    }

    /** The key of that name, or an error that suggests the nearest. */
    Key<?> require(String name, String origin) {
        return find(name)
                .orElseThrow(() -> new ConfigException(
                        "unknown key '" + name + "' (" + origin + ")" + Nearest.hint(name, keys.keySet())));
    }

    private static void add(Map<String, Key<?>> keys, Key<?> key) {
        if (keys.putIfAbsent(key.name(), key) != null) {
            throw new IllegalArgumentException("two keys are called '" + key.name() + "'");
        }
    }
}
