// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.net.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * All ranks run as children of the supervisor.
 *
 * @param directory of the job on this host
 * @param registered see {@link HostSource#run}; asked once the supervisor has registered
 */
public record ThisHost(
        String name,
        int ranks,
        RankCommand command,
        Path directory,
        JobStore store,
        StripedCheckpointFiles files,
        Transport transport,
        LongSupplier registered)
        implements HostSource {
    @Override
    public HostChoice choice() {
        return HostChoice.only(name);
    }

    @Override
    public Duration lease() {
        return Duration.ZERO;
    }

    @Override
    public long run() {
        return registered.getAsLong();
    }

    @Override
    public String bind() {
        return "127.0.0.1";
    }

    /** There is no other host. */
    @Override
    public Optional<PartnerHosts> partners() {
        return Optional.empty();
    }

    @Override
    public CompletableFuture<SortedSet<String>> answering() {
        return CompletableFuture.completedFuture(new TreeSet<>(List.of(name)));
    }

    @Override
    public Optional<RankHost> open(String host, RankHost.Listener listener, ScheduledExecutorService loop)
            throws IOException {
        return Optional.of(
                new LocalHost(host, ranks, command, directory, store, files, CopyLink.NONE, transport, listener, loop));
    }
}
