// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directives of {@code Cache-Control} (RFC 9111, section 5.2): names without case, arguments as tokens or quoted
 * strings, of a repeated directive the first (section 4.2.1). Immutable.
 */
final class Directives {

    /** No directive. */
    static final Directives NONE = new Directives(Map.of());

    /** An argument that is none: {@code max-age}, alone. */
    private static final String ABSENT = "";

    private static final int MOST_DIGITS = 10;

    /** The greatest delta-seconds (RFC 9111, section 1.2.2): 68 years. */
    static final long MOST_SECONDS = 1L << 31;

    private final Map<String, String> arguments;

    private Directives(Map<String, String> arguments) {
        this.arguments = arguments;
    }

    /** The directives of all lines together. */
    static Directives of(List<String> lines) {
        if (lines.isEmpty()) {
            return NONE;
        }
        Map<String, String> arguments = new HashMap<>();
        for (String member : ListSyntax.members(lines)) {
            int equals = member.indexOf('=');
            String name = equals < 0 ? member : member.substring(0, equals);
            String argument = equals < 0 ? ABSENT : member.substring(equals + 1);
            // A space beside the equals sign is no syntax: the name counts, its argument is invalid.
            boolean invalid = !name.equals(name.stripTrailing());
            arguments.putIfAbsent(
                    name.stripTrailing().toLowerCase(Locale.ROOT), invalid ? " " + argument : unquoted(argument));
        }
        return new Directives(arguments);
    }

    private static String unquoted(String argument) {
        if (argument.length() < 2 || !argument.startsWith("\"") || !argument.endsWith("\"")) {
            return argument;
        }
        return argument.substring(1, argument.length() - 1).replaceAll("\\\\(.)", "$1");
    }

    /** How many directives. */
    int count() {
        return arguments.size();
    }

    /** Characters of their names and arguments. */
    long characters() {
        return arguments.entrySet().stream()
                .mapToLong(
                        each -> each.getKey().length() + (long) each.getValue().length())
                .sum();
    }

    boolean has(String name) {
        return arguments.containsKey(name);
    }

    /** Whether the directive is there without an argument, and so speaks of the whole response. */
    boolean isUnqualified(String name) {
        return ABSENT.equals(arguments.get(name));
    }

    /** The field names that the directive is limited to, in lower case. */
    Set<String> fieldNames(String name) {
        @Nullable String argument = arguments.get(name);
        return argument == null ? Set.of() : ListSyntax.names(List.of(argument));
    }

    /** The directive's seconds; 0 if its argument is not a whole number, {@code absent} if it is not there. */
    long seconds(String name, long absent) {
        @Nullable String argument = arguments.get(name);
        return argument == null ? absent : seconds(argument);
    }

    private static long seconds(String argument) {
        long seconds = deltaSeconds(argument);
        return seconds < 0 ? 0 : seconds;
    }

    /** Seconds, at most {@link #MOST_SECONDS}; -1 if the text is anything but digits. */
    static long deltaSeconds(String text) {
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return -1;
        }
        String digits = text.replaceFirst("^0+(?=.)", "");
        return digits.length() > MOST_DIGITS ? MOST_SECONDS : Math.min(MOST_SECONDS, Long.parseLong(digits));
    }
}
