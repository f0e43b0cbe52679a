// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A topology as a text file: one {@code key = value} in a line, {@code #} begins a comment at the start of a line or after a
 * space, empty lines are skipped.
 */
public final class SettingsFile {
    private SettingsFile() {}

    /**
     * The settings in a text, which still have to be parsed.
     *
     * @throws TopologyException with every line that is none, or that says again what another has said
     */
    public static SortedMap<String, String> read(String text) {
        SortedMap<String, String> settings = new TreeMap<>();
        List<Mistake> mistakes = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = withoutComment(lines.get(i)).strip();
            if (!line.isEmpty()) {
                take(line, "line " + (i + 1), settings, mistakes);
            }
        }
        if (!mistakes.isEmpty()) {
            throw new TopologyException(mistakes);
        }
        return settings;
    }

    private static String withoutComment(String line) {
        if (line.startsWith("#")) {
            return "";
        }
        int comment = line.indexOf(" #");
        return comment < 0 ? line : line.substring(0, comment);
    }

    private static void take(String line, String where, SortedMap<String, String> settings, List<Mistake> mistakes) {
        int equals = line.indexOf('=');
        if (equals < 1) {
            mistakes.add(new Mistake(where, "'" + line + "': expected key = value, such as frontend.web.pool = docs"));
            return;
        }
        String key = line.substring(0, equals).strip();
        if (settings.put(key, line.substring(equals + 1).strip()) != null) {
            mistakes.add(new Mistake(where, "'" + key + "' was set before: expected each key once"));
        }
    }

    /** The file that {@link #read} reads. */
    public static String text(SortedMap<String, String> settings) {
        var text = new StringBuilder();
        settings.forEach(
                (key, value) -> text.append(key).append(" = ").append(value).append('\n'));
        return text.toString();
    }
}
