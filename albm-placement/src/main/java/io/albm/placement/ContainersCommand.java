// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.cgroup.ContainerCounters;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.json.Json;
import io.albm.placement.LocalContainers.LocalContainer;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code albm placement containers}. */
@Command(
        name = "containers",
        description = {
            "Show the containers of this machine, that is its memory control groups with processes, with their counters.",
            "Working set is memory that cannot be given back without harm: what to plan with. Faults and refaults count"
                    + " from the container's start."
        },
        footer = {"  albm placement containers", "  albm placement containers --json"})
final class ContainersCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        List<LocalContainer> containers = LocalContainers.read();
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? Json.pretty(containers) + "\n" : table(containers));
        out.flush();
        return ExitCode.DONE;
    }

    private static String table(List<LocalContainer> containers) {
        Table table = Table.of(
                        "GROUP", "PROCESSES", "USED", "WORKING SET", "LIMIT", "MAJOR FAULTS", "REFAULTS", "PRESSURE")
                .right(1, 2, 3, 4, 5, 6, 7);
        for (LocalContainer container : containers) {
            ContainerCounters counters = container.counters();
            table.row(
                    container.group(),
                    container.processes(),
                    Text.mebibytes(counters.memoryUsageBytes()),
                    Text.mebibytes(counters.workingSetBytes()),
                    Text.mebibytes(counters.memoryLimitBytes()),
                    counters.majorFaults(),
                    counters.fileRefaults(),
                    Text.percent(counters.memoryPressure()));
        }
        return table.render(Ansi.stdout());
    }
}
