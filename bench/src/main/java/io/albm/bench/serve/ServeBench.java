// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import io.albm.bench.compare.Contender;
import io.albm.bench.compare.Pace;
import io.albm.bench.compare.Tools;
import io.albm.bench.compare.Turns;
import io.albm.bench.compare.Wrk;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.Choice;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code albm bench cache-serve}. */
@Command(
        name = "cache-serve",
        description = {
            "Compares the cache server with nginx and Varnish: CPU per request, and requests per second.",
            "",
            "Our server is the process that 'albm run cache-server' starts, with everything as shipped, over a directory;"
                    + " nginx serves the same files, and Varnish has them in its memory. The peers have as many workers as we"
                    + " have event loops and what their manuals advise; nobody writes a log. They take turns under the same"
                    + " load (wrk, one thread), at 64 and at 400 connections. A target's value is the least ratio of its"
                    + " scenarios: nginx's CPU time per request divided by ours, or our requests/s divided by Varnish's,"
                    + " medians of all rounds. Where requests/s are compared, each server is held to half a processor, which"
                    + " takes root: otherwise the load generator would be the limit. A run with an answer that is not 2xx, or a sampled one with a wrong byte, does"
                    + " not count.",
            "",
            "Needs nginx, varnish and wrk: " + ServeBench.INSTALL
        })
public final class ServeBench extends BenchCommand {
    static final String INSTALL = "apt-get install nginx-light varnish wrk";

    @Option(
            names = "--only",
            paramLabel = "TARGET",
            split = ",",
            description =
                    "Measure these targets alone, and the peers that they need, while working on them: 1k, 10k, 1m,"
                            + " close, varnish-10k.")
    private List<String> only = List.of();

    @Override
    protected BenchReport measure(boolean shorter) throws IOException, InterruptedException {
        Logging.quiet();
        List<ServeTarget> targets = targets();
        Tools.require(INSTALL, "nginx", "varnishd", "wrk");
        Installation installation = Installation.find();
        try (Quotas quotas = new Quotas();
                ProcessGroup processes =
                        ProcessGroup.in(installation.home().resolve("bench/target/bench-cache-serve"))) {
            Pace pace = shorter ? Pace.quick() : Pace.full();
            Turns turns = new Turns(new Wrk(processes), pace, System.err::println);
            return new ServeComparison(contenders(processes, installation, targets), turns, quotas, System.err::println)
                    .of(targets, pace);
        }
    }

    /** The peers that the targets need; all of them if nothing was left out. */
    private static List<Contender> contenders(
            ProcessGroup processes, Installation installation, List<ServeTarget> targets) throws IOException {
        Servers servers = Servers.over(processes);
        Contender nginx = servers.nginx();
        List<Contender> all = new ArrayList<>(List.of(servers.ours(installation)));
        if (needs(targets, ServeTarget.NGINX)) {
            all.add(nginx);
        }
        if (needs(targets, ServeTarget.VARNISH)) {
            all.add(servers.varnish(nginx.address()));
        }
        return all;
    }

    private static boolean needs(List<ServeTarget> targets, String peer) {
        return targets.stream().anyMatch(target -> target.peer().equals(peer));
    }

    private List<ServeTarget> targets() {
        return only.isEmpty()
                ? ServeTarget.ALL
                : only.stream()
                        .map(target -> Choice.of("--only", target, ServeTarget.ALL, ServeTarget::target))
                        .distinct()
                        .toList();
    }
}
