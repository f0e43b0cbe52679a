// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.config.Units;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm cache resize}. */
@Command(
        name = "resize",
        description = {
            "Change the main memory for cached documents while requests run. In force within a second unless responses"
                    + " hold the memory; outlives restarts."
        },
        footer = {
            "  albm cache resize 512MiB",
            "  albm cache resize 2GiB --server cache-1",
            "  albm cache resize --reset"
        })
final class CacheResizeCommand implements Callable<Integer> {
    private static final String SETTING = "capacity";

    @Mixin
    private CacheServers servers = new CacheServers();

    @Parameters(arity = "0..1", paramLabel = "SIZE", description = "The capacity from now on, such as 512MiB.")
    private @Nullable String size;

    @Option(
            names = "--reset",
            description =
                    "Go back to what each was started with; those with a setting of their own keep it without --server.")
    private boolean reset;

    @Override
    public Integer call() {
        if ((size == null) != reset) {
            throw new CliException(ExitCode.USAGE, "resize: expected SIZE or --reset, one of them");
        }
        if (size != null) {
            check(size);
        }
        try (LiveCluster cluster = servers.connect()) {
            servers.change(cluster, new TreeMap<>(Map.of(SETTING, Optional.ofNullable(size))));
            return ExitCode.DONE;
        }
    }

    private static void check(String size) {
        try {
            Units.parseSize(size);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, "resize " + size + ": expected a size such as 512MiB", e);
        }
    }
}
