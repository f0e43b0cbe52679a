// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.job.HostChoice;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.config.Key;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where ranks run. A picocli mixin. */
final class HostOptions {
    private static final Key<Duration> LEASE = Key.duration(
            "host-lease",
            Duration.ofSeconds(10),
            Duration.ofSeconds(1),
            Duration.ofMinutes(10),
            "Time after which a host that is cut off is given up, and its ranks end.");
    private static final String NONE = "none";
    private static final String ANY = "any";

    @Option(
            names = "--hosts",
            paramLabel = "N|A,B,…",
            description = "Run the ranks on N of the hosts that have a job-host ('albm run job-host'), or on these."
                    + " Default: all as children of this command.")
    private @Nullable String hosts;

    @Option(
            names = "--spares",
            paramLabel = "any|none|A,B,…",
            defaultValue = ANY,
            description = "Hosts that may replace a lost one: any other, also one that joins later; none; or these."
                    + " Default: ${DEFAULT-VALUE}")
    private String spares = ANY;

    @Option(
            names = "--no-spread",
            description =
                    "When a host is lost and no spare is there, wait for one, instead of spreading its ranks over the"
                            + " hosts that are left.")
    private boolean noSpread;

    @Option(
            names = "--host-lease",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "A host that is cut off for longer is given up, and its ranks end. Default: ${DEFAULT-VALUE}")
    private String lease = "10s";

    @Option(
            names = "--partner",
            description =
                    "Copy each complete state to another of the hosts as well, so that a restart need not fetch those of a"
                            + " lost host from the striped storage.")
    private boolean partner;

    @Option(
            names = "--env",
            paramLabel = "NAME[=VALUE]",
            description =
                    "Give ranks this variable, with this command's value if there is no other. Ranks on other hosts"
                            + " have the environment of their job-host else.")
    private List<String> variables = List.of();

    boolean areWanted() {
        return hosts != null;
    }

    boolean copyToPartners() {
        return partner;
    }

    /** @throws CliException if there would be no partner, or a variable has no value */
    void check(int ranks) {
        var _ = environment();
        if (partner && !areWanted()) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--partner copies states to another host, and all ranks run on this one; add --hosts, or leave"
                            + " --partner out");
        }
        if (partner && Math.min(ranks, choice().count()) < 2) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--partner copies states to another host of the job, and " + ranks + " ranks with --hosts " + hosts
                            + " run on one; let them run on at least 2, or leave --partner out");
        }
    }

    /** @throws CliException if the options make no sense */
    HostChoice choice() {
        try {
            String wanted = String.valueOf(hosts);
            boolean isNumber = wanted.matches("[0-9]{1,9}");
            List<String> named = isNumber ? List.of() : List.of(wanted.split(",", -1));
            return new HostChoice(
                    isNumber ? Integer.parseInt(wanted) : named.size(),
                    named,
                    spareHosts().orElse(null),
                    !noSpread);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private Optional<Set<String>> spareHosts() {
        return switch (spares) {
            case ANY -> Optional.empty();
            case NONE -> Optional.of(Set.of());
            default -> Optional.of(Set.copyOf(List.of(spares.split(",", -1))));
        };
    }

    Duration lease() {
        return LEASE.parse(lease, "--host-lease");
    }

    /** @throws CliException if a variable has no value */
    Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        for (String variable : variables) {
            int equals = variable.indexOf('=');
            String name = equals < 0 ? variable : variable.substring(0, equals);
            String value = equals < 0 ? System.getenv(name) : variable.substring(equals + 1);
            if (name.isEmpty() || value == null) {
                throw new CliException(
                        ExitCode.USAGE,
                        "--env " + variable + ": this command has no such variable; give it as NAME=VALUE");
            }
            environment.put(name, value);
        }
        return environment;
    }
}
