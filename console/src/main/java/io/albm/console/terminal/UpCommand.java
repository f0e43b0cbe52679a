// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.LocalClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.local.ClusterProcess;
import io.albm.core.local.ClusterSpec;
import io.albm.core.local.Installation;
import io.albm.core.local.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm up}. */
@Command(
        name = "up",
        description = {
            "Start a local cluster of real processes, bound to loopback: ZooKeeper, a distributor, cache servers each"
                    + " with an agent, storage nodes, a coordinator and a console. Data and logs are kept in"
                    + " .albm/NAME, and a later 'albm up' continues with them.",
            "In the foreground, Ctrl-C stops all of it. With --detach the processes run on without a supervisor: one"
                    + " that dies stays away, and 'albm status' shows it as gone."
        },
        footer = {
            "  albm up",
            "  albm up --docs /usr/share/doc --detach && albm status && albm down",
            "  albm up --cluster second --ports auto"
        })
final class UpCommand implements Callable<Integer> {
    /** Where each process listens. */
    enum Ports {
        documented,
        auto
    }

    @Mixin
    private LocalClusterOptions options = new LocalClusterOptions();

    @Option(
            names = "--docs",
            paramLabel = "DIR",
            description = "What the cache servers serve; default: a welcome page.")
    private @Nullable Path docs;

    @Option(names = "--cache-servers", paramLabel = "N", description = "How many; default ${DEFAULT-VALUE}.")
    private int cacheServers = 3;

    @Option(names = "--storage-nodes", paramLabel = "N", description = "How many; default ${DEFAULT-VALUE}.")
    private int storageNodes = 5;

    @Option(names = "--detach", description = "Return when all is ready and leave it running.")
    private boolean detach;

    @Option(
            names = "--ports",
            paramLabel = "WHICH",
            description = {
                "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.",
                "  documented: ZooKeeper 2181, distributor 8080, console 8090, cache-N 8100+N, storage-N 8200+N,"
                        + " coordinator 8300; health and metrics 1000 above",
                "  auto: any free ones"
            })
    private Ports ports = Ports.documented;

    private final Ansi ansi = Ansi.stdout();

    @Override
    public Integer call() throws IOException {
        ClusterSpec spec = spec();
        long began = System.nanoTime();
        System.out.println("starting cluster " + ansi.bold(spec.name()) + " in " + spec.directory());
        LocalCluster cluster = LocalCluster.prepare(spec, Installation.find());
        Thread stop = new Thread(() -> stop(cluster), "stop-cluster");
        Runtime.getRuntime().addShutdownHook(stop);
        cluster.start(process -> progress(process, began));
        System.out.print("\n" + table(cluster) + "\n" + next(cluster));
        if (detach) {
            Runtime.getRuntime().removeShutdownHook(stop);
            cluster.detach();
            return ExitCode.DONE;
        }
        System.out.println("\nCtrl-C stops it.");
        watch(cluster);
        return ExitCode.DONE;
    }

    private ClusterSpec spec() throws IOException {
        try {
            ClusterSpec spec =
                    ClusterSpec.of(options.name(), options.data(), docs()).sized(cacheServers, storageNodes);
            return ports == Ports.auto ? spec.onFreePorts() : spec;
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private Path docs() throws IOException {
        if (docs == null) {
            return WelcomePage.in(options.directory().resolve("docs"));
        }
        if (!Files.isDirectory(docs)) {
            throw new CliException(ExitCode.USAGE, "--docs '" + docs + "': expected a directory");
        }
        return docs;
    }

    private void progress(ClusterProcess process, long began) {
        double seconds = Duration.ofNanos(System.nanoTime() - began).toMillis() / 1e3;
        String line = String.format(Locale.ROOT, "%6.1f s  %s ready", seconds, process.id());
        System.out.println(ansi.dim(line));
    }

    private String table(LocalCluster cluster) {
        Table table = Table.of("PROCESS", "ROLE", "WHERE", "ADMIN", "PID").right(4);
        for (ClusterProcess process : cluster.processes()) {
            table.row(
                    process.id(),
                    process.role(),
                    StatusText.where(process.endpoints()),
                    process.endpoint("admin"),
                    process.pid());
        }
        return table.render(ansi);
    }

    private String next(LocalCluster cluster) {
        String which = options.arguments();
        return "try next\n"
                + "  curl -i http://" + cluster.process("distributor").endpoint("http") + "/\n"
                + "  a browser at http://" + cluster.process("console").endpoint("http") + "/\n"
                + "  albm status" + which + "\n"
                + "  albm storage put FILE /FILE" + which + "\n"
                + (detach ? "  albm down" + which + "\n" : "");
    }

    /** Says which process is gone, and returns when all are: somebody called 'albm down'. */
    private static void watch(LocalCluster cluster) {
        List<CompletableFuture<?>> ends = cluster.processes().stream()
                .<CompletableFuture<?>>map(process -> process.onExit().thenRun(() -> sayGone(cluster, process)))
                .toList();
        CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new)).join();
    }

    /** Not of those that are stopped here: it would read as if each had failed. */
    private static void sayGone(LocalCluster cluster, ClusterProcess process) {
        if (!cluster.isClosed()) {
            System.out.println(process.id() + " (pid " + process.pid() + ") is gone; its log is " + process.log());
        }
    }

    private static void stop(LocalCluster cluster) {
        if (!cluster.isClosed()) {
            System.out.println("\nstopping");
        }
        try {
            cluster.close();
        } catch (IOException e) {
            System.err.println("albm: " + e.getMessage());
        }
    }
}
