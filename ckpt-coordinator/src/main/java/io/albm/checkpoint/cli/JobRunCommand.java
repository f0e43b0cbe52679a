// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.control.SupervisorServer;
import io.albm.checkpoint.host.RemoteHosts;
import io.albm.checkpoint.job.HostSource;
import io.albm.checkpoint.job.JobListener;
import io.albm.checkpoint.job.JobProgress;
import io.albm.checkpoint.job.JobSupervisor;
import io.albm.checkpoint.job.RankCommand;
import io.albm.checkpoint.job.SupervisorRegistration;
import io.albm.checkpoint.job.SupervisorRegistration.Holder;
import io.albm.checkpoint.job.ThisHost;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.SupervisorAddress;
import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.config.Key;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import io.albm.core.role.BindRule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm job run}. */
@Command(
        name = "run",
        description = {
            "Start a command as a job of N ranks and keep it running until every rank has ended with 0.",
            "Ranks that use the participant library, or hand over their states (--handover), are checkpointed at the"
                    + " interval, all at the same step, to the striped storage. When a rank dies, all go back to the last complete checkpoint. The same --name"
                    + " continues a job that was interrupted; a finished one is never started again."
        },
        footer = {
            "  albm job run --ranks 8 --name sim-7 --before 2026-03-01T14:30 -- ./simulate",
            "  albm job run --ranks 16 --mtbf 24h --name sim-8 -- ./simulate",
            "  albm job run --ranks 16 --hosts 4 --bind 10.0.0.9 --insecure --name sim-9 -- ./simulate",
            "  albm build examples/heat",
            "  albm job run --ranks 4 -- java -jar examples/heat/target/heat-all.jar --size 1024 --steps 5000",
            "  albm job run --ranks 1 --handover --handover-names 'restart.*' --handover-in-place -- ./lammps.sh",
            "  albm job run --ranks 8 --interval 30s --strategy striped --group-size 2 --name sim-7 -- ./simulate"
        })
final class JobRunCommand implements Callable<Integer> {
    private static final Duration LONGEST_WAIT_FOR_PREDECESSOR = Duration.ofSeconds(30);
    private static final Key<Duration> PAUSE = Key.duration(
            "minimum-pause",
            Duration.ofMillis(500),
            Duration.ZERO,
            Duration.ofDays(7),
            "Time between the end of one checkpoint and the begin of the next.");
    private static final Key<Duration> BARRIER = Key.duration(
            "barrier-timeout",
            Duration.ofMinutes(1),
            Duration.ofSeconds(1),
            Duration.ofDays(1),
            "How long ranks may take to meet at a step.");
    private static final long DRAIN_MILLIS = Duration.ofMinutes(10).toMillis();

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Option(names = "--ranks", required = true, paramLabel = "N", description = "Number of processes, 1 to 10000.")
    private int ranks;

    @Mixin
    private IntervalOptions interval = new IntervalOptions();

    @Option(
            names = "--minimum-pause",
            paramLabel = "TIME",
            defaultValue = "500ms",
            description = "Rest after a checkpoint, failed or not. Default: ${DEFAULT-VALUE}")
    private String minimumPause = "500ms";

    @Option(
            names = "--barrier-timeout",
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "After which a checkpoint is given up whose ranks have not come to the same step, or have not"
                    + " saved. Default: ${DEFAULT-VALUE}")
    private String barrierTimeout = "1m";

    @Option(
            names = "--strategy",
            paramLabel = "NAME",
            defaultValue = CheckpointStrategies.DEFAULT,
            description = "credit-window, coordinated, staggered, striped or multistriped. Default: ${DEFAULT-VALUE}")
    private String strategy = CheckpointStrategies.DEFAULT;

    @Option(
            names = "--group-size",
            paramLabel = "N",
            description = "Ranks that write at once: fixed for striped, the most for multistriped; the others choose it"
                    + " themselves. Default: all ranks.")
    private @Nullable Integer groupSize;

    @Option(
            names = "--keep",
            paramLabel = "N",
            defaultValue = "2",
            description = "Complete checkpoints to keep, at least 2. Default: ${DEFAULT-VALUE}")
    private int keep = 2;

    @Option(
            names = "--keep-every",
            paramLabel = "M",
            defaultValue = "0",
            description = "Keep checkpoints M, 2 M, 3 M, … as well, until 'albm ckpt rm' takes them. Default: none")
    private int keepEvery;

    @Option(
            names = "--max-restarts",
            paramLabel = "N",
            defaultValue = "100",
            description = "Rollbacks after which the job is given up. Default: ${DEFAULT-VALUE}")
    private int maxRestarts = 100;

    @Mixin
    private HostOptions hosts = new HostOptions();

    @Mixin
    private RestartOptions restart = new RestartOptions();

    @Mixin
    private HandoverOptions handover = new HandoverOptions();

    @Option(names = "--name", paramLabel = "JOB", description = "Name of the job; the same name continues it.")
    private @Nullable String name;

    @Option(
            names = "--bind",
            paramLabel = "IP",
            defaultValue = "127.0.0.1",
            description =
                    "Where the coordinator, and ranks on other hosts, reach this command; if they are on other machines,"
                            + " an address of this one. Default: ${DEFAULT-VALUE}")
    private String bind = "127.0.0.1";

    @Option(names = "--insecure", description = "Allow an address for --bind that is not loopback.")
    private boolean insecure;

    @Option(names = "--json", description = "Print one JSON object for each event.")
    private boolean json;

    @Parameters(arity = "1..*", paramLabel = "CMD", description = "The command of each rank, after '--'.")
    private List<String> command = List.of();

    @Override
    public Integer call() throws IOException {
        restart.check(name);
        handover.check();
        hosts.check(ranks);
        JobSpec wanted = spec();
        BindRule.check(bind, insecure, "--bind");
        try (JobAccess access = JobAccess.open(options)) {
            JobStore store = access.job(wanted.name());
            AtomicLong run = new AtomicLong();
            if (hosts.areWanted() && access.await(store.spec()).isEmpty()) {
                refuseTooFew(otherHosts(access, wanted, run), access, wanted.ranks());
            }
            JobSpec spec = restart.isGiven() ? known(access, store, wanted) : createOrContinue(access, store, wanted);
            return hosts.areWanted()
                    ? supervise(access, store, spec, otherHosts(access, spec, run), run)
                    : superviseHere(access, store, spec, run);
        }
    }

    /** A job that cannot begin leaves no record. */
    private static void refuseTooFew(HostSource source, JobAccess access, int ranks) {
        source.choice().objection(ranks, access.await(source.answering())).ifPresent(reason -> {
            throw new CliException(ExitCode.FAILED, reason);
        });
    }

    private int superviseHere(JobAccess access, JobStore store, JobSpec spec, AtomicLong run) throws IOException {
        Path directory =
                Files.createDirectories(options.directory().resolve("jobs").resolve(spec.name()));
        HostSource here = new ThisHost(
                hostName(),
                spec.ranks(),
                rankCommand(spec),
                directory,
                store,
                access.files(),
                access.transport(),
                run::get);
        return supervise(access, store, spec, here, run);
    }

    private HostSource otherHosts(JobAccess access, JobSpec spec, AtomicLong run) {
        access.load(Role.JOB_HOST);
        return new RemoteHosts(
                access.cluster(),
                access.client(),
                spec.name(),
                spec.ranks(),
                rankCommand(spec),
                hosts.choice(),
                hosts.lease(),
                hosts.copyToPartners(),
                bind,
                run::get);
    }

    private RankCommand rankCommand(JobSpec spec) {
        return new RankCommand(
                command, hosts.environment(), Path.of("").toAbsolutePath().toString(), handover.settings(spec));
    }

    private static String hostName() throws UnknownHostException {
        return InetAddress.getLocalHost().getHostName();
    }

    private int supervise(JobAccess access, JobStore store, JobSpec spec, HostSource source, AtomicLong run)
            throws IOException {
        try (JobSupervisor supervisor =
                new JobSupervisor(spec, maxRestarts, source, store, access.files(), listener())) {
            return supervise(access, store, spec, supervisor, run);
        }
    }

    private int supervise(JobAccess access, JobStore store, JobSpec spec, JobSupervisor supervisor, AtomicLong run)
            throws IOException {
        AtomicBoolean ended = new AtomicBoolean();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> interrupt(supervisor, spec.name(), ended), "job-kill"));
        try (SupervisorServer server = new SupervisorServer(
                        access.transport(), new NodeAddress(bind, 0), spec.name(), supervisor::on);
                ScheduledExecutorService renewal = Executors.newSingleThreadScheduledExecutor(
                        Thread.ofVirtual().factory())) {
            SupervisorAddress self = new SupervisorAddress(
                    server.address(), hostName(), ProcessHandle.current().pid());
            SupervisorRegistration registration =
                    new SupervisorRegistration(access.cluster().store(), spec.name(), self);
            run.set(claim(access, registration, spec.name()));
            access.insist(store::endHalt);
            restart.apply(access, store)
                    .ifPresent(chosen -> listener()
                            .on(new JobProgress.Notice("goes back to checkpoint " + chosen.number() + ", step "
                                    + chosen.step() + ", saved at "
                                    + chosen.times().savedAt()
                                    + "; newer ones are left aside")));
            long period = SupervisorRegistration.RENEWAL.toMillis();
            renewal.scheduleWithFixedDelay(
                    () -> renew(registration, run.get(), supervisor), period, period, TimeUnit.MILLISECONDS);
            try {
                supervisor.run().join();
                return ExitCode.DONE;
            } catch (CompletionException e) {
                throw new CliException(
                        ExitCode.FAILED, String.valueOf(JobAccess.cause(e).getMessage()), e);
            } finally {
                ended.set(true);
                renewal.shutdownNow();
            }
        }
    }

    /** Another supervisor took the job over while this one was cut off: two must not run the same ranks. */
    private static void renew(SupervisorRegistration registration, long run, JobSupervisor supervisor) {
        var _ = registration.renew(run).thenAccept(meanwhile -> meanwhile.ifPresent(supervisor::cutOff));
    }

    /** Returns the number of the run that begins. */
    private long claim(JobAccess access, SupervisorRegistration registration, String job) {
        long end = System.nanoTime() + LONGEST_WAIT_FOR_PREDECESSOR.toNanos();
        while (true) {
            switch (access.await(registration.claim())) {
                case Holder.Us us -> {
                    return us.run();
                }
                case Holder.Another(SupervisorAddress other)
                when System.nanoTime() > end ->
                    throw new CliException(
                            ExitCode.REFUSED,
                            "job " + job + " is run by process " + other.pid() + " on " + other.host()
                                    + "; stop that one, or give this one another --name");
                case Holder.Another another -> pause();
                case Holder.Nobody nobody -> pause();
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.FAILED, "interrupted", e);
        }
    }

    private JobSpec spec() {
        try {
            CheckpointStrategies.create(strategy, 1);
            return new JobSpec(
                    name == null ? "job-" + Long.toString(System.currentTimeMillis(), 36) : name,
                    ranks,
                    interval.interval(),
                    PAUSE.parse(minimumPause, "--minimum-pause").toMillis(),
                    BARRIER.parse(barrierTimeout, "--barrier-timeout").toMillis(),
                    DRAIN_MILLIS,
                    strategy,
                    groupSize == null ? Math.max(1, ranks) : groupSize,
                    keep,
                    keepEvery);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private static JobSpec createOrContinue(JobAccess access, JobStore store, JobSpec wanted) {
        try {
            access.await(store.create(wanted));
            return wanted;
        } catch (CoordinationException.NodeExists known) {
            return known(access, store, wanted);
        } catch (CoordinationException.OutcomeUnknown unknown) {
            return access.await(store.spec()).orElseThrow(() -> unknown);
        }
    }

    private static JobSpec known(JobAccess access, JobStore store, JobSpec wanted) {
        if (access.await(store.isFinished())) {
            throw new CliException(
                    ExitCode.REFUSED,
                    "job " + wanted.name() + " has finished; choose another --name, or remove it with: albm ckpt rm "
                            + wanted.name());
        }
        JobSpec known = access.await(store.spec())
                .orElseThrow(() -> new CliException(
                        ExitCode.FAILED, "no job '" + wanted.name() + "' to continue; 'albm ckpt ls' lists them"));
        if (known.ranks() != wanted.ranks()) {
            throw new CliException(
                    ExitCode.REFUSED,
                    "job " + wanted.name() + " has " + known.ranks() + " ranks, not " + wanted.ranks()
                            + "; continue it with --ranks " + known.ranks() + ", or choose another --name");
        }
        return known;
    }

    private JobListener listener() {
        return json ? progress -> print(Json.text(progress)) : progress -> print(progress.line());
    }

    private static void print(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** At the end of this process; if the job did not end before, a signal came. */
    private void interrupt(JobSupervisor supervisor, String job, AtomicBoolean ended) {
        if (!ended.get()) {
            System.err.println("albm: interrupted: job " + job + " is stopped; the same command"
                    + (name == null ? " with --name " + job : "") + " goes on with its last checkpoint");
        }
        try {
            supervisor.close();
        } catch (IOException e) {
            System.err.println("albm: " + e.getMessage());
        }
    }
}
