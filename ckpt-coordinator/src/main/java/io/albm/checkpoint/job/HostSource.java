// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;

/** Where a job's hosts come from. */
public interface HostSource {
    /** Which of them the job wants. */
    HostChoice choice();

    /**
     * How long a host that hears nothing lets its ranks run, and a rank runs that hears nothing; zero if they are children
     * of the supervisor.
     */
    Duration lease();

    /** Of the job, counted when this supervisor registered. */
    long run();

    /** Where ranks connect to the supervisor. */
    String bind();

    /** Of hosts that keep copies of each other's states; empty if these do not. */
    Optional<PartnerHosts> partners();

    /** The hosts that can be used now. */
    CompletableFuture<SortedSet<String>> answering();

    /**
     * Begins to use a host.
     *
     * @param loop the supervisor's
     * @return empty if it has left since it answered
     */
    Optional<RankHost> open(String name, RankHost.Listener listener, ScheduledExecutorService loop) throws IOException;
}
