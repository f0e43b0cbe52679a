// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import io.albm.checkpoint.control.ControlFrames;
import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.job.CopyRange;
import io.albm.checkpoint.job.LocalCopies;
import io.albm.checkpoint.job.LocalHost;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.node.Member;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.FrameServer;
import io.albm.core.wire.Reply;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.FailureDomain;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.table.ClusterStorage;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs ranks of jobs on this host, as their supervisors want, keeps their local copies, and takes them to the striped store
 * and back. One thread turns all jobs; what blocks runs on threads of its own.
 */
public final class JobHostService implements RoleService {
    private static final Logger log = LoggerFactory.getLogger(JobHostService.class);
    private static final Duration TICK = Duration.ofMillis(200);

    /** Jobs that were here since the start; a host is for few jobs, one after the other. */
    private static final int MOST_JOBS = 10_000;

    private final RoleContext context;
    private final int port;
    private final FailureDomain domain;
    private final Path directory;
    private final String instance = UUID.randomUUID().toString();
    private final FrameClient client;
    private final StripedCheckpointFiles files;
    private final Map<String, CompletableFuture<HostedJob>> jobs = new ConcurrentHashMap<>();
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("job-host-loop").daemon().factory());
    private @Nullable FrameServer server;

    /**
     * @param port of the command server; 0 for any
     * @param domain what this host fails with
     */
    public JobHostService(RoleContext context, int port, FailureDomain domain) {
        this.context = context;
        this.port = port;
        this.domain = domain;
        this.directory = context.data().resolve("jobs");
        this.client = new FrameClient(context.transport());
        this.files = new StripedCheckpointFiles(
                ClusterStorage.open(context.cluster(), client, StripeSettings.DEFAULT, context.health()),
                context.transport().blocking());
        context.metrics().gauge("job_host_ranks", "Ranks that may be alive on this host.", () -> sum(HostedJob::ranks));
        context.metrics()
                .gauge(
                        "job_host_lease_expiries",
                        "How often all ranks of a job were killed because its supervisor was not heard.",
                        () -> sum(HostedJob::expiries));
    }

    private long sum(ToLongFunction<HostedJob> figure) {
        return jobs.values().stream()
                .filter(job -> job.isDone() && !job.isCompletedExceptionally())
                .mapToLong(job -> figure.applyAsLong(job.join()))
                .sum();
    }

    @Override
    public Member start() throws IOException {
        Files.createDirectories(directory);
        int killed = LocalHost.killLeftOvers(directory);
        if (killed > 0) {
            log.warn("killed {} ranks that an earlier process of this host had left", killed);
        }
        server = FrameServer.bind(context.transport(), context.bind(port), (frame, peer) -> handle(frame))
                .join();
        loop.scheduleWithFixedDelay(this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
        return context.member(
                Map.of(RemoteHosts.ENDPOINT, server.address()), Map.of(StripedStore.DOMAIN_ATTRIBUTE, domain.value()));
    }

    private CompletionStage<Reply> handle(Frame frame) {
        try {
            return switch (frame.type()) {
                case ControlFrames.HOST_COMMAND ->
                    obey(job(frame), ControlFrames.read(frame.body(), HostCommand.class));
                case ControlFrames.COPY_READ -> read(job(frame), ControlFrames.read(frame.body(), CopyRange.class));
                default ->
                    throw new WireException(
                            WireCode.UNKNOWN_TYPE,
                            "a job-host takes commands of supervisors, type 0x32, and reads of other job-hosts, 0x34");
            };
        } finally {
            frame.release();
        }
    }

    /** A name that is one of a directory, too. */
    private static String job(Frame frame) {
        try {
            String job = ControlFrames.job(frame.header());
            JobSpec.requireName(job);
            return job;
        } catch (IllegalArgumentException e) {
            throw new WireException(WireCode.MALFORMED, String.valueOf(e.getMessage()));
        }
    }

    private CompletionStage<Reply> obey(String job, HostCommand command) {
        return hosted(job)
                .thenApplyAsync(hosted -> answer(hosted, command), loop)
                .thenApply(answer ->
                        Reply.of(ControlFrames.HOST_ANSWER, Unpooled.EMPTY_BUFFER, ControlFrames.body(answer)));
    }

    /** What another host reads of the copies here; whose run that is matters not, since every page is checked. */
    private CompletionStage<Reply> read(String job, CopyRange range) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        byte[] bytes = LocalCopies.read(directory.resolve(job), range);
                        return Reply.of(ControlFrames.COPY_BYTES, Unpooled.EMPTY_BUFFER, Unpooled.wrappedBuffer(bytes));
                    } catch (NoSuchFileException e) {
                        throw new WireException(
                                WireCode.NOT_FOUND,
                                "no copy of rank " + range.rank() + " of checkpoint " + range.checkpoint());
                    } catch (IOException e) {
                        throw new WireException(WireCode.INTERNAL, "the copy cannot be read: " + e.getMessage());
                    }
                },
                context.transport().blocking());
    }

    private static HostAnswer answer(HostedJob hosted, HostCommand command) {
        try {
            return hosted.on(command);
        } catch (IOException e) {
            throw new WireException(WireCode.INTERNAL, "the job's directory cannot be used: " + e.getMessage());
        }
    }

    /** The coordination store says who registered last, so that this process need not remember it. */
    private CompletableFuture<HostedJob> hosted(String name) {
        if (jobs.size() >= MOST_JOBS && !jobs.containsKey(name)) {
            throw new WireException(WireCode.BUSY, "this host has had " + MOST_JOBS + " jobs; start it anew");
        }
        CompletableFuture<HostedJob> hosted = jobs.computeIfAbsent(name, this::open);
        if (hosted.isCompletedExceptionally()) {
            jobs.remove(name, hosted);
        }
        return hosted;
    }

    private CompletableFuture<HostedJob> open(String name) {
        JobStore store = new JobStore(context.cluster().store(), name);
        Path own = directory.resolve(name);
        return store.run()
                .thenApply(run -> new HostedJob(
                        name,
                        run,
                        instance,
                        own,
                        (command, listener) -> new LocalHost(
                                context.id().value(),
                                command.jobRanks(),
                                command.command(),
                                own,
                                store,
                                files,
                                new WireCopies(client, name),
                                context.transport(),
                                listener,
                                loop),
                        loop,
                        context.clock()));
    }

    private void tick() {
        for (CompletableFuture<HostedJob> job : jobs.values()) {
            try {
                if (job.isDone() && !job.isCompletedExceptionally()) {
                    job.join().tick();
                }
            } catch (RuntimeException e) {
                log.error("the host's loop failed and goes on", e);
            }
        }
    }

    /** Ranks do not outlive their host. */
    @Override
    public void drain(Duration bound) {
        try {
            CompletableFuture.supplyAsync(this::endAll, loop)
                    .thenCompose(ended -> ended)
                    .get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn("not all ranks were seen dead: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletableFuture<Void> endAll() {
        List<CompletableFuture<Void>> ended = jobs.values().stream()
                .filter(job -> job.isDone() && !job.isCompletedExceptionally())
                .map(job -> job.join().end())
                .toList();
        return CompletableFuture.allOf(ended.toArray(CompletableFuture[]::new));
    }

    @Override
    public void close() {
        loop.shutdownNow();
        if (server != null) {
            server.close();
        }
        client.close();
    }
}
