// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** Fields whose value is a list (RFC 9110, section 5.6.1). Pure. */
final class ListSyntax {

    private ListSyntax() {}

    /** The members of all lines together, without the empty ones; a comma within quotes does not separate. */
    static List<String> members(List<String> lines) {
        List<String> members = items(lines);
        members.removeIf(String::isEmpty);
        return members;
    }

    /** What stands between the commas of all lines together, empty or not. */
    static List<String> items(List<String> lines) {
        List<String> items = new ArrayList<>();
        lines.forEach(line -> split(line, items));
        return items;
    }

    /** The members as names: lower case, sorted, each once. */
    static Set<String> names(List<String> lines) {
        Set<String> names = new TreeSet<>();
        members(lines).forEach(member -> names.add(member.toLowerCase(Locale.ROOT)));
        return names;
    }

    private static void split(String line, List<String> items) {
        int start = 0;
        boolean quoted = false;
        for (int at = 0; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                at++;
            } else if (c == ',' && !quoted) {
                items.add(line.substring(start, at).strip());
                start = at + 1;
            }
        }
        items.add(line.substring(start).strip());
    }
}
