// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.Member;
import io.albm.core.node.Role;
import io.albm.core.text.Nearest;
import java.util.Collection;
import java.util.List;
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
        footer = {"  albm policy", "  albm policy least-connections", "  albm policy --reset"})
final class PolicyCommand implements Callable<Integer> {
    private static final String KEY = "policy";

    /** What a distributor says in its membership about the policies that it has. */
    private static final String ATTRIBUTE = "policies";

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The policy from now on.")
    private @Nullable String name;

    @Option(names = "--reset", description = "Go back to what each distributor was started with.")
    private boolean reset;

    @Override
    public Integer call() {
        if (name != null && reset) {
            throw new CliException(ExitCode.USAGE, "policy '" + name + "' and --reset: expected one of them");
        }
        try (LiveCluster cluster = new LiveCluster(options)) {
            if (reset) {
                cluster.set(LiveCluster.DISTRIBUTOR, KEY, null);
                System.out.println("policy: what each distributor was started with");
            } else if (name == null) {
                show(cluster);
            } else {
                set(cluster, name);
            }
            return ExitCode.DONE;
        }
    }

    private static void show(LiveCluster cluster) {
        String set = cluster.settings(LiveCluster.DISTRIBUTOR)
                .getOrDefault(KEY, "not set: what each distributor was started with");
        System.out.println("policy: " + set);
        System.out.println("known:  " + String.join(", ", known(cluster)));
    }

    private static void set(LiveCluster cluster, String name) {
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
        cluster.set(LiveCluster.DISTRIBUTOR, KEY, name);
        System.out.println("policy: " + name);
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
