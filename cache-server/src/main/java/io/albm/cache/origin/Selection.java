// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which fields of a request selected a response: its {@code Vary} (RFC 9111, section 4.1). Immutable.
 *
 * @param names in lower case, sorted
 */
record Selection(Set<String> names) {

    /** No field did. */
    static final Selection NONE = new Selection(Set.of());

    private static final String ANYTHING = "*";

    /** Lists of weighted members, in which neither case nor order mean anything (RFC 9110, section 12.5). */
    private static final Set<String> UNORDERED = Set.of("accept-encoding", "accept-language");

    static Selection of(Fields response) {
        List<String> vary = response.all("Vary");
        return vary.isEmpty() ? NONE : new Selection(ListSyntax.names(vary));
    }

    /** Whether what selected it is not known. */
    boolean matchesNothing() {
        return names.contains(ANYTHING);
    }

    /** The request's selecting fields, normalised: equal for requests that select the same response. */
    String key(Fields request) {
        if (names.isEmpty()) {
            return "";
        }
        return names.stream()
                .map(name -> name + "=" + (request.has(name) ? normalised(name, request.all(name)) : "\0"))
                .collect(Collectors.joining("\n"));
    }

    /** Empty items stay: what stands in a Cookie or a User-Agent is no list, and its origin may tell the two apart. */
    private static String normalised(String name, List<String> values) {
        return UNORDERED.contains(name)
                ? ListSyntax.members(values).stream()
                        .map(member -> member.toLowerCase(Locale.ROOT).replace(" ", ""))
                        .sorted()
                        .collect(Collectors.joining(","))
                : String.join(",", ListSyntax.items(values));
    }
}
