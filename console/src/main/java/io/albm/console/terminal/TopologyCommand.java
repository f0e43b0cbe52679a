// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.text.Nearest;
import io.albm.core.topology.SettingsFile;
import io.albm.core.topology.Topology;
import io.albm.core.topology.TopologyException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm topology}. */
@Command(
        name = "topology",
        description = {
            "Show or change the frontends, routes, pools and weights of a running cluster. No connection is dropped by a"
                    + " change; one with a mistake is refused as a whole, with all reasons, and the old one stays.",
            "Keys: frontend.NAME.bind|mode|tls-certificates|clear-text-protocol|accept-proxy-protocol|"
                    + "send-proxy-protocol|pool|policy, route.NAME.frontend|host|path|pool|priority,"
                    + " pool.NAME.members|backends|policy|max-connections|queue-size|queue-timeout|check-path|rise|fall|"
                    + "announce-waiting,"
                    + " weight.BACKEND, policy."
        },
        footer = {
            "  albm topology show",
            "  albm topology set pool.api.backends=10.0.0.1:80,10.0.0.2:80 route.api.path=/api/ route.api.pool=api",
            "  albm topology unset route.api.path",
            "  albm topology check web.topology",
            "  albm topology apply web.topology"
        })
final class TopologyCommand implements Callable<Integer> {
    private static final List<String> ACTIONS = List.of("show", "set", "unset", "apply", "check");

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "show|set|unset|apply|check",
            defaultValue = "show",
            description = {
                "show: what the distributors serve, and the settings that were made;",
                "set KEY=VALUE…: all of them at once;",
                "unset KEY…: back to what each distributor was started with;",
                "apply FILE: these settings, and no others, at once;",
                "check FILE: says what is wrong with a file, without a cluster."
            })
    private String action = "show";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "KEY=VALUE|KEY|FILE", description = "See above.")
    private List<String> words = List.of();

    @Option(names = "--json", description = "Show all of it for a program.")
    private boolean json;

    @Override
    public Integer call() {
        switch (action) {
            case "show" -> withCluster(this::show);
            case "set" -> change(put(pairs()));
            case "unset" -> change(without(words("KEY, or several")));
            case "apply" -> change(replaced(read(file())));
            case "check" -> check(read(file()));
            default ->
                throw new CliException(
                        ExitCode.USAGE,
                        "unknown action '" + action + "': expected one of " + String.join(", ", ACTIONS)
                                + Nearest.hint(action, ACTIONS));
        }
        return ExitCode.DONE;
    }

    /** Something to do with a cluster. */
    @FunctionalInterface
    private interface Work {
        void with(LiveCluster cluster);
    }

    private void withCluster(Work work) {
        try (LiveCluster cluster = new LiveCluster(options)) {
            work.with(cluster);
        }
    }

    private void change(UnaryOperator<Map<String, String>> change) {
        withCluster(cluster -> new Distributors(cluster).change(change));
    }

    private List<String> words(String expected) {
        if (words.isEmpty()) {
            throw new CliException(ExitCode.USAGE, "topology " + action + ": expected " + expected);
        }
        return words;
    }

    private Map<String, String> pairs() {
        Map<String, String> pairs = new TreeMap<>();
        for (String word : words("KEY=VALUE, or several")) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new CliException(
                        ExitCode.USAGE, "'" + word + "': expected KEY=VALUE such as frontend.web.policy=albm");
            }
            pairs.put(
                    owned(word.substring(0, equals).strip()),
                    word.substring(equals + 1).strip());
        }
        return pairs;
    }

    private static String owned(String key) {
        if (!Topology.owns(key)) {
            throw new CliException(
                    ExitCode.USAGE,
                    "'" + key + "': expected policy, frontend.NAME.FIELD, route.NAME.FIELD, pool.NAME.FIELD or"
                            + " weight.BACKEND; thresholds are set by 'albm threshold'");
        }
        return key;
    }

    private Path file() {
        if (words.size() != 1) {
            throw new CliException(ExitCode.USAGE, "topology " + action + ": expected one FILE");
        }
        return Path.of(words.getFirst());
    }

    private static SortedMap<String, String> read(Path file) {
        try {
            return SettingsFile.read(Files.readString(file));
        } catch (IOException e) {
            throw new CliException(ExitCode.USAGE, "file '" + file + "': expected a text file of key = value lines", e);
        } catch (TopologyException e) {
            throw new CliException(ExitCode.USAGE, file + ": " + e.getMessage(), e);
        }
    }

    private static UnaryOperator<Map<String, String>> put(Map<String, String> pairs) {
        return before -> {
            Map<String, String> after = new TreeMap<>(before);
            after.putAll(pairs);
            return after;
        };
    }

    private static UnaryOperator<Map<String, String>> without(List<String> keys) {
        return before -> {
            Map<String, String> after = new TreeMap<>(before);
            keys.forEach(key -> take(key, after));
            return after;
        };
    }

    private static void take(String key, Map<String, String> settings) {
        Known.require("live setting", owned(key), owned(settings));
        settings.remove(key);
    }

    private static SortedSet<String> owned(Map<String, String> settings) {
        SortedSet<String> owned = new TreeSet<>(settings.keySet());
        owned.removeIf(key -> !Topology.owns(key));
        return owned;
    }

    private static UnaryOperator<Map<String, String>> replaced(Map<String, String> settings) {
        settings.keySet().forEach(TopologyCommand::owned);
        return before -> {
            Map<String, String> after = new TreeMap<>(before);
            after.keySet().removeIf(Topology::owns);
            after.putAll(settings);
            return after;
        };
    }

    private static void check(Map<String, String> settings) {
        settings.keySet().forEach(TopologyCommand::owned);
        Topology topology = Distributors.check(settings);
        System.out.println("well-formed: " + topology.frontends().size() + " frontends, "
                + topology.routes().size() + " routes, " + topology.pools().size() + " pools");
    }

    private void show(LiveCluster cluster) {
        SortedMap<String, String> settings = new TreeMap<>(cluster.settings(LiveCluster.DISTRIBUTOR));
        settings.keySet().removeIf(key -> !Topology.owns(key));
        SortedMap<String, @Nullable JsonNode> served = new Distributors(cluster).served();
        if (json) {
            System.out.println(Json.text(Map.of("settings", settings, "distributors", served)));
        } else {
            System.out.print(TopologyText.of(settings, served));
        }
    }
}
