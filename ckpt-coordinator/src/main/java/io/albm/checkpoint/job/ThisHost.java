// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.handover.Handover;
import io.albm.checkpoint.protocol.JobStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All ranks run as children of the supervisor.
 *
 * @param handover how the command hands its states over; null if it speaks to the supervisor itself
 * @param directory of the job on this host
 * @param registered see {@link HostSource#run}; asked once the supervisor has registered
 */
public record ThisHost(
        String name,
        int ranks,
        RankCommand command,
        @Nullable Handover handover,
        Path directory,
        JobStore store,
        StripedCheckpointFiles files,
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

    @Override
    public CompletableFuture<SortedSet<String>> answering() {
        return CompletableFuture.completedFuture(new TreeSet<>(List.of(name)));
    }

    @Override
    public RankHost open(String host, RankHost.Listener listener, ScheduledExecutorService loop) throws IOException {
        return new LocalHost(host, ranks, command, handover, directory, store, files, listener, loop);
    }
}
