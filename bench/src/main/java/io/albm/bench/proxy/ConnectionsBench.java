// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.process.AdminPort;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.ProcessMemory;
import io.albm.bench.process.Roles;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;

/** {@code albm bench connections}. */
@Command(
        name = "connections",
        description = {
            "How much memory the distributor needs for 15,000 idle connections, and for a body of 5 GiB beside them in each"
                    + " direction.",
            "The process that 'albm run distributor' starts, with its bound of connections raised; memory is what the"
                    + " kernel counts as resident, everything included. What a connection takes is counted without garbage, from a"
                    + " base after some hundred connections have come and gone. Options for its JVM go into ALBM_JAVA_OPTS."
        })
public final class ConnectionsBench extends BenchCommand {
    private static final int IDLE = 15_000;
    private static final int WARM = 500;
    private static final double MEBIBYTE = 1 << 20;
    private static final double MOST_MEBIBYTES = 384;
    private static final double MOST_BYTES_EACH = 8 << 10;
    private static final Duration CONNECT_BOUND = Duration.ofMinutes(2);
    private static final Duration GC_BOUND = Duration.ofSeconds(30);
    private static final int LOOK_MILLIS = 50;

    @Override
    protected BenchReport measure(boolean shorter) throws IOException, InterruptedException {
        Logging.quiet();
        Installation installation = Installation.find();
        try (ProcessGroup processes = ProcessGroup.in(installation.home().resolve("bench/target/bench-connections"))) {
            Backends backends = Backends.start(processes);
            ChildProcess distributor = distributor(processes, installation, backends);
            return measure(processes, distributor, shorter ? 1 : 3);
        }
    }

    private static ChildProcess distributor(ProcessGroup processes, Installation installation, Backends backends)
            throws IOException {
        List<String> options = new ArrayList<>(List.of("--port", "0", "--idle-timeout", "10m"));
        options.addAll(List.of("--max-connections", Integer.toString(IDLE + 2 * WARM)));
        options.addAll(List.of("--backends", backends.first() + "," + backends.second()));
        return Roles.start(processes, installation).start("distributor", "distributor", options);
    }

    private BenchReport measure(ProcessGroup processes, ChildProcess distributor, int warmUps)
            throws IOException, InterruptedException {
        NodeAddress http = Roles.endpoint(distributor, "http");
        for (int n = 1; n <= warmUps; n++) {
            warmUp(processes, n, http);
        }
        Live base = Live.of(processes, distributor);
        tell("base", base.resident());
        processes
                .startJava("clients", List.of("-Xmx512m"), IdleClients.class, http.toString(), "" + IDLE)
                .awaitReady(CONNECT_BOUND);
        long idle = ProcessMemory.residentBytes(distributor.pid());
        tell("with " + IDLE + " idle connections", idle);
        double growth = Live.of(processes, distributor).growthSince(base);
        long down = mostWhile(Transfer.DOWNLOAD, distributor, http);
        tell("most while " + LongBody.length() + " bytes came down beside them", down);
        long up = mostWhile(Transfer.UPLOAD, distributor, http);
        tell("most while " + LongBody.length() + " bytes went up beside them", up);
        double open = AdminPort.counter(Roles.endpoint(distributor, "admin"), "albm_client_connections");
        if (open < IDLE) {
            throw new CliException(ExitCode.FAILED, "only %.0f of %d connections are left".formatted(open, IDLE));
        }
        return report(base.resident(), idle, growth, down, up);
    }

    /** Some hundred connections come, ask and go, so that code and pools are there before the base is taken. */
    private static void warmUp(ProcessGroup processes, int n, NodeAddress http) throws IOException {
        ChildProcess clients = processes.startJava(
                "warm-up-" + n, List.of("-Xmx64m"), IdleClients.class, http.toString(), Integer.toString(WARM));
        clients.awaitReady(CONNECT_BOUND);
        processes.stop(clients);
    }

    /**
     * What is needed for good: garbage that the JVM has not collected yet would hide it.
     *
     * @param resident by the kernel's books; pages that the heap has touched stay, though empty
     * @param used by the JVM's books
     */
    private record Live(long resident, double used) {
        static Live of(ProcessGroup processes, ChildProcess distributor) throws IOException {
            String jcmd =
                    Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
            processes.run("gc", List.of(jcmd, Long.toString(distributor.pid()), "GC.run"), GC_BOUND);
            double used = AdminPort.counter(Roles.endpoint(distributor, "admin"), "jvm_memory_used_bytes");
            return new Live(ProcessMemory.residentBytes(distributor.pid()), used);
        }

        /** Of both books the one that shows more. */
        double growthSince(Live base) {
            return Math.max((double) (resident - base.resident), used - base.used);
        }
    }

    private static long mostWhile(Transfer transfer, ChildProcess distributor, NodeAddress http)
            throws IOException, InterruptedException {
        CompletableFuture<Void> running = CompletableFuture.runAsync(() -> {
            try {
                transfer.run(http);
            } catch (IOException e) {
                throw new CliException(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
            }
        });
        long most = 0;
        while (!running.isDone()) {
            most = Math.max(most, ProcessMemory.residentBytes(distributor.pid()));
            Thread.sleep(LOOK_MILLIS);
        }
        running.join();
        return most;
    }

    private static void tell(String what, long bytes) {
        System.err.printf("%s: %.1f MiB%n", what, bytes / MEBIBYTE);
    }

    private static BenchReport report(long base, long idle, double growth, long down, long up) {
        return new BenchReport(
                List.of(
                        Result.of("idle", idle / MEBIBYTE, base / MEBIBYTE, "base", "MiB", 1),
                        Result.of("download", down / MEBIBYTE, idle / MEBIBYTE, "idle", "MiB", 1),
                        Result.of("upload", up / MEBIBYTE, idle / MEBIBYTE, "idle", "MiB", 1)),
                List.of(
                        Target.atMost("MiB with 15000 idle connections", idle / MEBIBYTE, MOST_MEBIBYTES),
                        Target.atMost("bytes for each idle connection", growth / IDLE, MOST_BYTES_EACH),
                        Target.atMost("MiB while 5 GiB come down beside them", down / MEBIBYTE, MOST_MEBIBYTES),
                        Target.atMost("MiB while 5 GiB go up beside them", up / MEBIBYTE, MOST_MEBIBYTES)),
                Map.of("java options", String.valueOf(System.getenv().getOrDefault("ALBM_JAVA_OPTS", "none"))));
    }
}
