// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.report;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What every bench command has in common: {@code --quick} shortens the runs and never the list of targets,
 * {@code --json} prints one object, and the exit code is 0 only if every target holds.
 */
public abstract class BenchCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call()
    private CommandSpec spec;

    @Option(names = "--quick", description = "Shorter runs; the same targets.")
    private boolean quick;

    @Option(names = "--json", description = "Print the results and targets as one JSON object.")
    private boolean json;

    /** Measures ours and the peer in one go. Progress goes to standard error. */
    protected abstract BenchReport measure(boolean shorter) throws Exception;

    /** What of the report is shown as text: all, unless that is more than anybody reads. */
    protected BenchReport shown(BenchReport report) {
        return report;
    }

    @Override
    public final Integer call() throws Exception {
        BenchReport report = measure(quick);
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? Json.pretty(report) + "\n" : shown(report).text(Ansi.stdout()));
        out.flush();
        return report.holds() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
