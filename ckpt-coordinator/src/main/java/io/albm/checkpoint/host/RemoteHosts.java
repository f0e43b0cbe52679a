// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import io.albm.checkpoint.job.HostChoice;
import io.albm.checkpoint.job.HostSource;
import io.albm.checkpoint.job.PartnerHosts;
import io.albm.checkpoint.job.RankCommand;
import io.albm.checkpoint.job.RankHost;
import io.albm.core.cluster.Cluster;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.FrameClient;
import io.albm.storage.StripedStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/** The hosts that run a job-host and are registered in the cluster; one that joins while a job runs is one of them, too. Thread-safe. */
public final class RemoteHosts implements HostSource, PartnerHosts {
    static final String ENDPOINT = "job";

    private static final Duration LONGEST_PING = Duration.ofSeconds(1);

    /** A host that is asked for the first time may have just been started, as we have, and the connection is yet to be made. */
    private static final Duration LONGEST_FIRST_PING = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final FrameClient client;
    private final String job;
    private final int ranks;
    private final RankCommand command;
    private final HostChoice choice;
    private final Duration lease;
    private final boolean partner;
    private final String bind;
    private final LongSupplier registered;
    private final Set<NodeId> asked = ConcurrentHashMap.newKeySet();

    /**
     * @param ranks of the whole job
     * @param partner states are copied to another of these hosts
     * @param bind where ranks on all these hosts reach the supervisor
     * @param registered see {@link HostSource#run}; asked once the supervisor has registered
     */
    public RemoteHosts(
            Cluster cluster,
            FrameClient client,
            String job,
            int ranks,
            RankCommand command,
            HostChoice choice,
            Duration lease,
            boolean partner,
            String bind,
            LongSupplier registered) {
        this.cluster = cluster;
        this.client = client;
        this.job = job;
        this.ranks = ranks;
        this.command = command;
        this.choice = choice;
        this.lease = lease;
        this.partner = partner;
        this.bind = bind;
        this.registered = registered;
    }

    @Override
    public HostChoice choice() {
        return choice;
    }

    @Override
    public Duration lease() {
        return lease;
    }

    @Override
    public String bind() {
        return bind;
    }

    @Override
    public long run() {
        return registered.getAsLong();
    }

    @Override
    public Optional<PartnerHosts> partners() {
        return partner ? Optional.of(this) : Optional.empty();
    }

    @Override
    public Optional<NodeAddress> address(String host) {
        return member(host).flatMap(member -> member.endpoint(ENDPOINT));
    }

    @Override
    public String domain(String host) {
        return member(host)
                .flatMap(member -> member.attribute(StripedStore.DOMAIN_ATTRIBUTE))
                .orElse(host);
    }

    private Optional<Member> member(String host) {
        return Optional.ofNullable(cluster.members(Role.JOB_HOST).get().get(new NodeId(host)));
    }

    /** A process that is stopped, or hangs, may be registered still. */
    @Override
    public CompletableFuture<SortedSet<String>> answering() {
        SortedSet<String> there = Collections.synchronizedSortedSet(new TreeSet<>());
        List<CompletableFuture<Void>> pings = cluster.members(Role.JOB_HOST).get().values().stream()
                .map(member -> ask(member, there))
                .toList();
        return CompletableFuture.allOf(pings.toArray(CompletableFuture[]::new)).thenApply(_ -> new TreeSet<>(there));
    }

    private CompletableFuture<Void> ask(Member member, SortedSet<String> there) {
        Duration patience = asked.add(member.id()) ? LONGEST_FIRST_PING : LONGEST_PING;
        return member.endpoint(ENDPOINT)
                .map(address -> client.ping(address, patience)
                        .thenRun(() -> there.add(member.id().value()))
                        .exceptionally(_ -> null))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    @Override
    public Optional<RankHost> open(String name, RankHost.Listener listener, ScheduledExecutorService loop) {
        return address(name)
                .map(address -> new RemoteHost(
                        name,
                        HostLink.wire(client, address, job),
                        run(),
                        ranks,
                        command,
                        lease,
                        listener,
                        loop,
                        MonotonicClock.system()));
    }
}
