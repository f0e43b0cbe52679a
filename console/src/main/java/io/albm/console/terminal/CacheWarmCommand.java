// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm cache warm}. */
@Command(
        name = "warm",
        description = {
            "Have cache servers read documents now, as requests for them would, so that they are in main memory when"
                    + " clients come. The policy decides as ever what stays. A document is read as it is, unless its name"
                    + " says a coding, as 'albm cache top' shows it: '/style.css in br'. A cache server in front"
                    + " of an origin fetches URLs, with the host that clients ask for."
        },
        footer = {
            "  albm cache warm /index.html /style.css",
            "  albm cache warm http://www.example.org/index.html",
            "  albm cache warm --from popular.txt"
        })
final class CacheWarmCommand implements Callable<Integer> {
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final int MOST_CHARACTERS = 16 << 10;
    private static final Set<String> GOOD_ENDS = Set.of("found", "stored");

    @Mixin
    private CacheServers servers = new CacheServers();

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "Path of a document, or URL at an origin.")
    private List<String> paths = List.of();

    @Option(names = "--from", paramLabel = "FILE", description = "A name a line.")
    private @Nullable Path file;

    @Override
    public Integer call() {
        List<String> asked = asked();
        try (LiveCluster cluster = servers.connect()) {
            SortedMap<String, Map<String, Long>> ends = servers.ports(cluster).ask(admin -> warm(admin, asked));
            ends.forEach((id, counts) -> System.out.println(id + ": "
                    + counts.entrySet().stream()
                            .map(count -> count.getValue() + " " + count.getKey())
                            .collect(Collectors.joining(", "))));
            return ends.values().stream().allMatch(counts -> GOOD_ENDS.containsAll(counts.keySet()))
                    ? ExitCode.DONE
                    : ExitCode.FAILED;
        }
    }

    private List<String> asked() {
        List<String> asked = new ArrayList<>(paths);
        if (file != null) {
            try {
                asked.addAll(Files.readAllLines(file, UTF_8));
            } catch (IOException e) {
                throw new CliException(ExitCode.USAGE, "--from " + file + ": cannot be read", e);
            }
        }
        asked.removeIf(String::isBlank);
        if (asked.isEmpty()) {
            throw new CliException(ExitCode.USAGE, "warm: expected paths of documents, or --from FILE");
        }
        return asked;
    }

    private static Map<String, Long> warm(NodeAddress admin, List<String> asked) {
        Map<String, Long> counts = new TreeMap<>();
        List<String> requests = requests(asked);
        for (String lines : requests) {
            JsonNode ends = AdminPorts.post(admin, "/cache/warm", lines, BOUND);
            ends.properties()
                    .forEach(end -> counts.merge(end.getKey(), end.getValue().asLong(), Long::sum));
            if (requests.size() > 1) {
                long done = counts.values().stream().mapToLong(Long::longValue).sum();
                System.err.println(admin + ": " + done + " of " + asked.size());
            }
        }
        return counts;
    }

    /** The paths in as many requests as the bound of a request's body needs. */
    private static List<String> requests(List<String> asked) {
        List<String> requests = new ArrayList<>();
        StringBuilder lines = new StringBuilder();
        for (String path : asked) {
            if (lines.length() > 0 && lines.length() + path.length() > MOST_CHARACTERS) {
                requests.add(lines.toString());
                lines.setLength(0);
            }
            lines.append(path).append('\n');
        }
        requests.add(lines.toString());
        return requests;
    }
}
