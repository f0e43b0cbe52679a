// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.LocalClusterOptions;
import io.albm.core.cli.ExitCode;
import io.albm.core.local.ClusterProcess;
import io.albm.core.local.LocalCluster;
import io.albm.core.local.LocalCluster.Stopped;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code albm down}. */
@Command(
        name = "down",
        description = {
            "Stop the local cluster: SIGTERM, which lets each process finish what is in flight, and after 15 s SIGKILL.",
            "Its data stays; the next 'albm up' continues with it. Nothing to stop is no error. An 'albm up' that is still"
                    + " starting it ends, and stops what it has started."
        },
        footer = {"  albm down", "  albm down --cluster second"})
final class DownCommand implements Callable<Integer> {
    @Mixin
    private LocalClusterOptions options = new LocalClusterOptions();

    @Override
    public Integer call() throws IOException {
        Optional<Stopped> stopped = LocalCluster.stop(options.directory());
        System.out.println(stopped.map(this::text)
                .orElseGet(() -> "cluster '" + options.name() + "' is not up in " + options.directory()));
        return ExitCode.DONE;
    }

    private String text(Stopped stopped) {
        return "stopped " + stopped.running() + " processes" + killed(stopped.killed()) + "; data kept in "
                + options.directory();
    }

    private static String killed(List<ClusterProcess> killed) {
        return killed.isEmpty()
                ? ""
                : killed.stream()
                        .map(ClusterProcess::id)
                        .collect(Collectors.joining(", ", ", of which these did not end by themselves: ", ""));
    }
}
