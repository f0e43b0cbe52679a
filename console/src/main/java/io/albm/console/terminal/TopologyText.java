// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.Table;
import java.util.Arrays;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What distributors serve, as tables for people. */
final class TopologyText {
    private static final String NOTHING = "-";

    private TopologyText() {}

    static String of(SortedMap<String, String> settings, SortedMap<String, @Nullable JsonNode> distributors) {
        var text = new StringBuilder();
        distributors.forEach((id, served) -> {
            text.append("distributor ").append(id).append('\n');
            text.append(served == null ? "does not answer\n" : one(served)).append('\n');
        });
        if (distributors.isEmpty()) {
            text.append("no distributor runs\n\n");
        }
        text.append(settings.isEmpty() ? "no live settings: each serves as it was started\n" : "live settings\n");
        settings.forEach((key, value) ->
                text.append("  ").append(key).append(" = ").append(value).append('\n'));
        return text.toString();
    }

    private static String one(JsonNode served) {
        var text = new StringBuilder();
        text.append(table(served.path("frontends"), "name", "address", "mode", "tls", "pool", "policy", "connections"));
        if (!served.path("routes").isEmpty()) {
            text.append('\n')
                    .append(table(served.path("routes"), "name", "frontend", "host", "path", "pool", "priority"));
        }
        text.append('\n').append(table(served.path("pools"), "name", "policy", "backends", "serving", "waiting"));
        if (served.hasNonNull("refused")) {
            text.append("\nrefused, so that the settings before are in force: ")
                    .append(Verdicts.reasons(served.at("/refused/mistakes")))
                    .append('\n');
        }
        return text.toString();
    }

    /** The first column is the kind of thing that a row is. */
    private static String table(JsonNode rows, String... fields) {
        Table table = Table.of(Arrays.stream(fields).map(String::toUpperCase).toArray(String[]::new));
        for (JsonNode row : rows) {
            table.row(Arrays.stream(fields).map(field -> cell(row.path(field))).toArray());
        }
        return table.render(Ansi.stdout());
    }

    private static String cell(JsonNode value) {
        return value.isNull() || value.isMissingNode() ? NOTHING : value.asText();
    }
}
