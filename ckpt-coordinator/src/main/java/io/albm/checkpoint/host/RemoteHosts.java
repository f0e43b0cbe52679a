// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import io.albm.checkpoint.job.HostChoice;
import io.albm.checkpoint.job.HostSource;
import io.albm.checkpoint.job.RankCommand;
import io.albm.checkpoint.job.RankHost;
import io.albm.core.cluster.Cluster;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.FrameClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * The hosts that run a job-host and are registered in the cluster; one that joins while a job runs is one of them, too.
 *
 * @param ranks of the whole job
 * @param bind where ranks on all these hosts reach the supervisor
 * @param registered see {@link HostSource#run}; asked once the supervisor has registered
 */
public record RemoteHosts(
        Cluster cluster,
        FrameClient client,
        String job,
        int ranks,
        RankCommand command,
        HostChoice choice,
        Duration lease,
        String bind,
        LongSupplier registered)
        implements HostSource {
    static final String ENDPOINT = "job";

    private static final Duration LONGEST_PING = Duration.ofSeconds(1);

    @Override
    public long run() {
        return registered.getAsLong();
    }

    /** A process that is stopped, or hangs, may be registered still. */
    @Override
    public CompletableFuture<SortedSet<String>> answering() {
        SortedSet<String> there = Collections.synchronizedSortedSet(new TreeSet<>());
        List<CompletableFuture<Void>> asked = cluster.members(Role.JOB_HOST).get().values().stream()
                .map(member -> ask(member, there))
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(_ -> new TreeSet<>(there));
    }

    private CompletableFuture<Void> ask(Member member, SortedSet<String> there) {
        return member.endpoint(ENDPOINT)
                .map(address -> client.ping(address, LONGEST_PING)
                        .thenRun(() -> there.add(member.id().value()))
                        .exceptionally(_ -> null))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    @Override
    public RankHost open(String name, RankHost.Listener listener, ScheduledExecutorService loop) throws IOException {
        NodeAddress address = Optional.ofNullable(
                        cluster.members(Role.JOB_HOST).get().get(new NodeId(name)))
                .flatMap(member -> member.endpoint(ENDPOINT))
                .orElseThrow(() -> new IOException("host " + name + " has left the cluster"));
        return new RemoteHost(
                name,
                HostLink.wire(client, address, job),
                run(),
                ranks,
                command,
                lease,
                listener,
                loop,
                MonotonicClock.system());
    }
}
