// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.json.Json;
import java.util.Locale;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm cache show}. */
@Command(
        name = "show",
        description = "Show policy, memory and hit ratios of the cache servers.",
        footer = {"  albm cache show", "  albm cache show --json"})
final class CacheShowCommand implements Callable<Integer> {
    private static final double MEBIBYTE = 1 << 20;

    @Mixin
    private CacheServers servers = new CacheServers();

    @Option(names = "--json", description = "What each says, by id, for a program.")
    private boolean json;

    @Override
    public Integer call() {
        try (LiveCluster cluster = servers.connect()) {
            SortedMap<String, JsonNode> states = servers.ports(cluster).ask(CacheServers::status);
            System.out.print(json ? Json.text(states) + "\n" : table(states));
            return ExitCode.DONE;
        }
    }

    private static String table(SortedMap<String, JsonNode> states) {
        Table table = Table.of(
                        "SERVER",
                        "POLICY",
                        "CAPACITY MiB",
                        "KEPT MiB",
                        "TRANSIT MiB",
                        "REQUESTS",
                        "HITS",
                        "BYTE HITS",
                        "")
                .right(2, 3, 4, 5, 6, 7);
        states.forEach((id, state) -> table.row(
                id,
                state.path("policy").asText(),
                mebibytes(state, "capacityBytes"),
                mebibytes(state, "residentBytes"),
                mebibytes(state, "transitBytes"),
                state.path("requests").asText(),
                share(state, "objectHitRatio"),
                share(state, "byteHitRatio"),
                refusal(state)));
        return table.render(Ansi.stdout());
    }

    private static String mebibytes(JsonNode state, String field) {
        return String.format(Locale.ROOT, "%.1f", state.path(field).asLong() / MEBIBYTE);
    }

    private static String share(JsonNode state, String field) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * state.path(field).asDouble());
    }

    private static String refusal(JsonNode state) {
        String reasons = Verdicts.reasons(state.at("/refused/mistakes"));
        return reasons.isEmpty() ? "" : "live settings refused: " + reasons;
    }
}
