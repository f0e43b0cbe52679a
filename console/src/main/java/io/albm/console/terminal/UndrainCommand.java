// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.NodeId;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm undrain}. A server that is not a member now may come back: its mark can be taken back all the same. */
@Command(
        name = "undrain",
        description = "Let cache servers of a running cluster that were drained have requests again.",
        footer = "  albm undrain cache-2")
final class UndrainCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Parameters(arity = "1..*", paramLabel = "ID", description = "Cache servers to put back.")
    private List<String> ids = List.of();

    @Override
    public Integer call() {
        ids.forEach(UndrainCommand::check);
        try (LiveCluster cluster = new LiveCluster(options)) {
            for (String id : ids) {
                boolean drained = !cluster.settings(DrainMark.scope(id)).isEmpty();
                cluster.set(DrainMark.scope(id), DrainMark.SINCE, null);
                System.out.println(id + (drained ? ": serves again" : ": was not drained"));
            }
            return ExitCode.DONE;
        }
    }

    private static void check(String id) {
        try {
            new NodeId(id);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
