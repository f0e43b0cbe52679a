// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.ExitCode;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm cache purge}. */
@Command(
        name = "purge",
        description = {
            "Drop documents from main memory: the next request for one reads it again. Responses under way are sent to"
                    + " their end."
        },
        footer = {"  albm cache purge /index.html", "  albm cache purge '/news/*'", "  albm cache purge '*'"})
final class CachePurgeCommand implements Callable<Integer> {
    private static final Duration BOUND = Duration.ofMinutes(1);

    @Mixin
    private CacheServers servers = new CacheServers();

    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description =
                    "A document as 'albm cache top' shows it, without a coding in all of them, or with * at its end all"
                            + " that begin so.")
    private List<String> names = List.of();

    @Override
    public Integer call() {
        try (LiveCluster cluster = servers.connect()) {
            SortedMap<String, JsonNode> ends = servers.ports(cluster)
                    .ask(admin -> AdminPorts.post(admin, "/cache/purge", String.join("\n", names), BOUND));
            boolean all = true;
            for (var end : ends.entrySet()) {
                long left = end.getValue().path("left").asLong();
                System.out.println(
                        end.getKey() + ": " + end.getValue().path("dropped").asText() + " dropped"
                                + (left == 0 ? "" : ", " + left + " in use and kept: try again"));
                all &= left == 0;
            }
            return all ? ExitCode.DONE : ExitCode.FAILED;
        }
    }
}
