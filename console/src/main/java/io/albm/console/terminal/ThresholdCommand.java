// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.config.Units;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm threshold}. */
@Command(
        name = "threshold",
        description = {
            "Show or change the levels of available memory at which the policy albm-threshold takes a host out of the"
                    + " rotation of a running cluster, and back in.",
            "Two levels, because one would flap: a host that gets no requests frees memory at once."
        },
        footer = {"  albm threshold", "  albm threshold --relieve 100MiB --recover 130MiB", "  albm threshold --reset"})
final class ThresholdCommand implements Callable<Integer> {
    private static final String RELIEVE = "threshold.available-memory.relieve";
    private static final String RECOVER = "threshold.available-memory.recover";

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Option(names = "--relieve", paramLabel = "SIZE", description = "Below this a host gets no new requests.")
    private @Nullable String relieve;

    @Option(
            names = "--recover",
            paramLabel = "SIZE",
            description = "Above this it gets them again; not below --relieve.")
    private @Nullable String recover;

    @Option(names = "--reset", description = "Go back to what each distributor was started with.")
    private boolean reset;

    @Override
    public Integer call() {
        check();
        try (LiveCluster cluster = new LiveCluster(options)) {
            if (reset || relieve != null) {
                cluster.change(LiveCluster.DISTRIBUTOR, this::changed);
            }
            Map<String, String> settings = cluster.settings(LiveCluster.DISTRIBUTOR);
            System.out.println("available memory: relieve below " + text(settings.get(RELIEVE)) + ", recover above "
                    + text(settings.get(RECOVER)));
            return ExitCode.DONE;
        }
    }

    /** Both at once: one level of the old pair and one of the new could be crossed. */
    private Map<String, String> changed(Map<String, String> settings) {
        Map<String, String> changed = new TreeMap<>(settings);
        changed.keySet().removeAll(List.of(RELIEVE, RECOVER));
        if (relieve != null && recover != null) {
            changed.put(RELIEVE, relieve);
            changed.put(RECOVER, recover);
        }
        return changed;
    }

    private void check() {
        if ((relieve == null) != (recover == null)) {
            throw new CliException(ExitCode.USAGE, "--relieve and --recover: expected both, for one level would flap");
        }
        if (relieve != null && recover != null) {
            if (reset) {
                throw new CliException(ExitCode.USAGE, "--relieve and --reset: expected one of them");
            }
            if (size("--relieve", relieve) > size("--recover", recover)) {
                throw new CliException(
                        ExitCode.USAGE,
                        "--relieve " + relieve + " --recover " + recover + ": expected relieve at most recover");
            }
        }
    }

    private static long size(String option, String text) {
        try {
            return Units.parseSize(text);
        } catch (IllegalArgumentException e) {
            throw new CliException(
                    ExitCode.USAGE, option + " '" + text + "': expected a size such as 100MiB or 1.5GiB", e);
        }
    }

    private static String text(@Nullable String size) {
        return size == null ? "the level that each distributor was started with" : size;
    }
}
