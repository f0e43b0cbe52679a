// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.json.Json;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm cache top}. */
@Command(
        name = "top",
        description = "List the documents kept in main memory that were asked for most, or that are largest.",
        footer = {"  albm cache top", "  albm cache top --by bytes --most 50 --server cache-1"})
final class CacheTopCommand implements Callable<Integer> {
    private static final List<String> ORDERS = List.of("requests", "bytes");
    private static final int MOST = 10_000;

    @Mixin
    private CacheServers servers = new CacheServers();

    @Option(names = "--by", paramLabel = "requests|bytes", description = "What comes first; default ${DEFAULT-VALUE}.")
    private String by = "requests";

    @Option(names = "--most", paramLabel = "N", description = "Documents of each server; default ${DEFAULT-VALUE}.")
    private int most = 20;

    @Option(names = "--json", description = "The lists by server, for a program.")
    private boolean json;

    @Override
    public Integer call() {
        if (!ORDERS.contains(by)) {
            throw new CliException(ExitCode.USAGE, "--by " + by + ": expected one of " + String.join(", ", ORDERS));
        }
        if (most < 1 || most > MOST) {
            throw new CliException(ExitCode.USAGE, "--most " + most + ": expected 1 to " + MOST);
        }
        try (LiveCluster cluster = servers.connect()) {
            SortedMap<String, JsonNode> lists = servers.ports(cluster)
                    .ask(admin -> AdminPorts.json(admin, "/cache/top?by=" + by + "&most=" + most));
            System.out.print(json ? Json.text(lists) + "\n" : table(lists));
            return ExitCode.DONE;
        }
    }

    private static String table(SortedMap<String, JsonNode> lists) {
        Table table = Table.of("SERVER", "REQUESTS", "BYTES", "DOCUMENT").right(1, 2);
        lists.forEach((id, list) -> list.forEach(kept -> table.row(
                id,
                kept.path("requests").asText(),
                kept.path("bytes").asText(),
                kept.path("name").asText())));
        return table.render(Ansi.stdout());
    }
}
