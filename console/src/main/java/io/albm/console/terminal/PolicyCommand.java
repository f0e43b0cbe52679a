// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.Member;
import io.albm.core.node.Role;
import io.albm.core.text.Nearest;
import io.albm.core.topology.Topology;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm policy}. */
@Command(
        name = "policy",
        description = {
            "Show or change how the distributors of a running cluster spread requests. A change is in force within a"
                    + " second and outlives restarts.",
            "Without a name: the policy that was set, and those that the distributors have."
        },
        footer = {
            "  albm policy",
            "  albm policy least-connections",
            "  albm policy set hash --frontend web",
            "  albm policy --reset --frontend web"
        })
final class PolicyCommand implements Callable<Integer> {
    /** What a distributor says in its membership about the policies that it has. */
    private static final String ATTRIBUTE = "policies";

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Parameters(
            arity = "0..2",
            paramLabel = "[set] NAME",
            description = "The policy from now on; 'set' may stand before it.")
    private List<String> words = List.of();

    @Option(names = "--frontend", paramLabel = "NAME", description = "For the requests of this frontend alone.")
    private @Nullable String frontend;

    @Option(names = "--pool", paramLabel = "NAME", description = "For the requests to this pool alone.")
    private @Nullable String pool;

    @Option(names = "--reset", description = "Go back to what each distributor was started with.")
    private boolean reset;

    @Override
    public Integer call() {
        String name = name();
        String key = key();
        try (LiveCluster cluster = new LiveCluster(options)) {
            var distributors = new Distributors(cluster);
            requirePlace(distributors);
            if (name != null) {
                requireKnown(cluster, name);
            }
            if (name == null && !reset) {
                show(cluster, key);
            } else {
                distributors.change(settings -> changed(settings, key, name));
            }
            return ExitCode.DONE;
        }
    }

    private @Nullable String name() {
        List<String> names =
                !words.isEmpty() && words.getFirst().equals("set") ? words.subList(1, words.size()) : words;
        if (names.size() > 1 || (names.isEmpty() && !words.isEmpty())) {
            throw new CliException(ExitCode.USAGE, "policy " + String.join(" ", words) + ": expected one name");
        }
        if (!names.isEmpty() && reset) {
            throw new CliException(
                    ExitCode.USAGE, "policy '" + names.getFirst() + "' and --reset: expected one of them");
        }
        return names.isEmpty() ? null : names.getFirst();
    }

    private String key() {
        if (frontend != null && pool != null) {
            throw new CliException(
                    ExitCode.USAGE, "--frontend " + frontend + " and --pool " + pool + ": expected one of them");
        }
        if (frontend != null) {
            return Topology.frontendPolicyKey(frontend);
        }
        return pool == null ? Topology.POLICY : Topology.poolPolicyKey(pool);
    }

    private void requirePlace(Distributors distributors) {
        if (frontend != null) {
            Known.require("frontend", frontend, distributors.names("frontend"));
        }
        if (pool != null) {
            Known.require("pool", pool, distributors.names("pool"));
        }
    }

    private static Map<String, String> changed(Map<String, String> settings, String key, @Nullable String value) {
        Map<String, String> changed = new TreeMap<>(settings);
        if (value == null) {
            changed.remove(key);
        } else {
            changed.put(key, value);
        }
        return changed;
    }

    private static void show(LiveCluster cluster, String key) {
        String set = cluster.settings(LiveCluster.DISTRIBUTOR)
                .getOrDefault(key, "not set: what each distributor was started with");
        System.out.println(key + ": " + set);
        System.out.println("known:  " + String.join(", ", known(cluster)));
    }

    private static void requireKnown(LiveCluster cluster, String name) {
        List<String> known = known(cluster);
        if (known.isEmpty()) {
            throw new CliException(
                    ExitCode.REFUSED,
                    "policy '" + name + "': no distributor is running that could say whether it has it");
        }
        if (!known.contains(name)) {
            throw new CliException(
                    ExitCode.USAGE,
                    "unknown policy '" + name + "': expected one of " + String.join(", ", known)
                            + Nearest.hint(name, known));
        }
    }

    /** Those that every distributor has. */
    private static List<String> known(LiveCluster cluster) {
        Collection<Member> distributors = cluster.members(Role.DISTRIBUTOR).values();
        return distributors.stream()
                .flatMap(PolicyCommand::policies)
                .distinct()
                .filter(policy -> distributors.stream()
                        .allMatch(member -> policies(member).anyMatch(policy::equals)))
                .toList();
    }

    private static Stream<String> policies(Member distributor) {
        return distributor.attribute(ATTRIBUTE).stream().flatMap(names -> Stream.of(names.split(",", -1)));
    }
}
