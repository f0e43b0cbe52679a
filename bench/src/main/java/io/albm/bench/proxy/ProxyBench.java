// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Pace;
import io.albm.bench.compare.Tools;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.Choice;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code albm bench proxy}. */
@Command(
        name = "proxy",
        description = {
            "Compares the distributor with haproxy and nginx: CPU per request, and requests per second.",
            "",
            "All three stand in front of the same two servers and take turns under the same load (wrk, one thread)."
                    + " The distributor is the process that 'albm run distributor' starts, with everything as shipped; the"
                    + " peers have as many threads as it has event loops and what their manuals advise. A target's value is"
                    + " haproxy's CPU time per request divided by ours, medians of all rounds. A run with an answer that is"
                    + " not 2xx, or a sampled one with a wrong byte, does not count.",
            "",
            "Needs haproxy, nginx and wrk: " + ProxyBench.INSTALL
        })
public final class ProxyBench extends BenchCommand {
    static final String INSTALL = "apt-get install haproxy nginx-light libnginx-mod-stream wrk";

    @Option(
            names = "--only",
            paramLabel = "TARGET",
            split = ",",
            description = "Measure these targets alone, while working on them: http-1b, http-10k, http-1m, http-close,"
                    + " tcp-1b, tcp-10k, tcp-1m, tcp-close, tls-1b.")
    private List<String> only = List.of();

    @Override
    protected BenchReport measure(boolean shorter) throws IOException, InterruptedException {
        Logging.quiet();
        Tools.require(INSTALL, "haproxy", "nginx", "wrk");
        Installation installation = Installation.find();
        try (ProcessGroup processes = ProcessGroup.in(installation.home().resolve("bench/target/bench-proxy"))) {
            Pace pace = shorter ? Pace.quick() : Pace.full();
            return new ProxyComparison(processes, installation, pace, System.err::println).of(scenarios());
        }
    }

    private Set<ProxyScenario> scenarios() {
        return only.isEmpty()
                ? EnumSet.allOf(ProxyScenario.class)
                : only.stream()
                        .map(target ->
                                Choice.of("--only", target, EnumSet.allOf(ProxyScenario.class), ProxyScenario::target))
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(ProxyScenario.class)));
    }
}
