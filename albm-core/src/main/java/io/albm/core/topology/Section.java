// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import io.albm.core.config.Units;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import io.albm.core.text.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one frontend, route or pool, read one by one. A field that makes no sense becomes a mistake and reads as
 * if it were not there, so that all mistakes are found in one go.
 */
final class Section {
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

    /** The one role whose members answer the requests of others. */
    private static final List<String> SERVING_ROLES = List.of(Role.CACHE_SERVER.id());

    private final String kind;
    private final String name;
    private final Map<String, String> fields;
    private final List<Mistake> mistakes;

    /**
     * A section.
     *
     * @param mistakes gets what is wrong
     */
    Section(String kind, String name, Map<String, String> fields, List<Mistake> mistakes) {
        this.kind = kind;
        this.name = name;
        this.fields = fields;
        this.mistakes = mistakes;
    }

    String name() {
        return name;
    }

    /** The field, unless it is not there or blank. */
    Optional<String> text(String field) {
        return Optional.ofNullable(fields.get(field)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** The field; empty and a mistake if it is not there. */
    String required(String field, String expected) {
        Optional<String> value = text(field);
        if (value.isEmpty()) {
            mistake(field, "is not set: expected " + expected);
        }
        return value.orElse("");
    }

    void check(boolean isRight, String field, String expected) {
        if (!isRight) {
            mistake(field, "'" + fields.getOrDefault(field, "") + "': " + expected);
        }
    }

    private void mistake(String field, String text) {
        mistakes.add(new Mistake(kind + "." + name + "." + field, text));
    }

    private <T> @Nullable T parsed(String field, Function<String, T> parser) {
        return text(field).map(text -> parsed(field, text, parser)).orElse(null);
    }

    private <T> @Nullable T parsed(String field, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            mistake(field, String.valueOf(e.getMessage()));
            return null;
        }
    }

    @Nullable
    NodeAddress address(String field, String text) {
        return parsed(field, text, NodeAddress::parse);
    }

    <E extends Enum<E>> E choice(String field, E[] values, E otherwise) {
        Map<String, E> byId = new LinkedHashMap<>();
        Arrays.stream(values).forEach(value -> byId.put(value.name().toLowerCase(Locale.ROOT), value));
        String chosen = oneOf(field, List.copyOf(byId.keySet()));
        return chosen == null ? otherwise : byId.getOrDefault(chosen, otherwise);
    }

    boolean flag(String field) {
        return Boolean.TRUE.equals(decision(field));
    }

    /** A flag that was set or cleared; null if nothing is said. */
    @Nullable
    Boolean decision(String field) {
        String said = oneOf(field, List.of("true", "false"));
        return said == null ? null : Boolean.valueOf(said);
    }

    @Nullable
    String policy(String field) {
        return oneOf(field, PolicyNames.all());
    }

    @Nullable
    Role role(String field) {
        String id = oneOf(field, SERVING_ROLES);
        return id == null ? null : Role.parse(id);
    }

    private @Nullable String oneOf(String field, List<String> ids) {
        return parsed(field, text -> {
            if (!ids.contains(text)) {
                throw new IllegalArgumentException("'" + text + "': expected "
                        + (ids.size() == 1 ? "" : "one of ")
                        + String.join(", ", ids)
                        + Nearest.hint(text, ids));
            }
            return text;
        });
    }

    @Nullable
    Integer integer(String field, int least, int most) {
        return parsed(field, text -> {
            if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
                throw new IllegalArgumentException(
                        "'" + text + "': expected a whole number of " + least + " to " + most);
            }
            return Integer.parseInt(text);
        });
    }

    @Nullable
    Duration duration(String field) {
        return parsed(field, text -> {
            try {
                Duration duration = Units.parseDuration(text);
                if (duration.compareTo(SHORTEST_WAIT) >= 0 && duration.compareTo(LONGEST_WAIT) <= 0) {
                    return duration;
                }
            } catch (IllegalArgumentException e) {
                // told below, with what was expected
            }
            throw new IllegalArgumentException("'" + text + "': expected a time of 1 ms to 1 h, such as 3 s");
        });
    }

    List<StaticBackend> backends(String field) {
        List<StaticBackend> backends = new ArrayList<>();
        for (String one : text(field).orElse("").split(",", -1)) {
            StaticBackend backend = one.isBlank() ? null : parsed(field, one, StaticBackend::parse);
            if (backend != null) {
                backends.add(backend);
            }
        }
        var seen = new HashSet<NodeAddress>();
        backends.stream()
                .filter(backend -> !seen.add(backend.address()))
                .forEach(twice ->
                        mistake(field, "'" + twice.address() + "' stands there twice: expected each address once"));
        return backends;
    }
}
