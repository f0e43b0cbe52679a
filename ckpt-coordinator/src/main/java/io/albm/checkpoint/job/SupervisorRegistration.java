// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.RunCounter;
import io.albm.checkpoint.protocol.SupervisorAddress;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import io.albm.core.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Says to the cluster who supervises a job, by an ephemeral record, and keeps a second supervisor out. The record of a
 * process of this machine that is dead is replaced at once; that of another machine goes with its session. Thread-safe.
 */
public final class SupervisorRegistration {
    /** How often to look whether the record is still there: a lost session took it. */
    public static final Duration RENEWAL = Duration.ofSeconds(2);

    /** What a look at the record found. */
    public sealed interface Holder {
        /**
         * This process holds the record.
         *
         * @param run that it began: higher than that of every supervisor that held the record before
         */
        record Us(long run) implements Holder {}

        /** Another was faster, or it is not known whether this process holds it: look again. */
        record Nobody() implements Holder {}

        /** Another supervisor, alive as far as can be known. */
        record Another(SupervisorAddress address) implements Holder {}
    }

    private final CoordinationStore store;
    private final JobPaths paths;
    private final String path;
    private final RunCounter runs;
    private final SupervisorAddress self;

    public SupervisorRegistration(CoordinationStore store, String job, SupervisorAddress self) {
        this.store = store;
        this.paths = new JobPaths(job);
        this.path = paths.supervisor();
        this.runs = new RunCounter(store, paths);
        this.self = self;
    }

    /** Looks at the record and takes it if nobody alive has it. Fails if the coordination store cannot be reached. */
    public CompletableFuture<Holder> claim() {
        return store.read(path).thenCompose(read -> read.map(this::judge).orElseGet(() -> create(List.of())));
    }

    private CompletableFuture<Holder> judge(Versioned record) {
        SupervisorAddress holder = Json.read(record.data(), SupervisorAddress.class);
        if (holder.equals(self.withRun(holder.run()))) {
            return CompletableFuture.completedFuture(new Holder.Us(holder.run()));
        }
        return isDead(holder)
                ? create(List.of(new Operation.Delete(path, record.version())))
                : CompletableFuture.completedFuture(new Holder.Another(holder));
    }

    private boolean isDead(SupervisorAddress holder) {
        return holder.host().equals(self.host())
                && Optional.of(holder.pid())
                        .flatMap(ProcessHandle::of)
                        .filter(ProcessHandle::isAlive)
                        .isEmpty();
    }

    /**
     * Keeps the record, which goes with a lost session. It is written again as that of the same run, which the hosts obey; not
     * if another has been counted since, whose ranks may have gone on from a newer checkpoint.
     *
     * @param run that {@link Holder.Us} said
     * @return what became of the job while this process was cut off; empty if it may go on. Fails if that is not known: look
     *     again
     */
    public CompletableFuture<Optional<String>> renew(long run) {
        return store.read(path)
                .thenCompose(read -> read.map(record -> CompletableFuture.completedFuture(another(record, run)))
                        .orElseGet(() -> createAgain(run)));
    }

    private Optional<String> another(Versioned record, long run) {
        SupervisorAddress holder = Json.read(record.data(), SupervisorAddress.class);
        return holder.equals(self.withRun(run))
                ? Optional.empty()
                : Optional.of("was taken over by process " + holder.pid() + " on " + holder.host());
    }

    /** Decided by the transaction: what a new session reads may be older than what was registered. */
    private CompletableFuture<Optional<String>> createAgain(long run) {
        return store.commit(List.of(
                        new Operation.Check(paths.spec(), Operation.ANY),
                        runs.check(run),
                        new Operation.Create(path, Json.bytes(self.withRun(run)), true)))
                .thenApply(_ -> Optional.<String>empty())
                .exceptionallyCompose(failure -> switch (cause(failure)) {
                    case CoordinationException.VersionConflict _ ->
                        CompletableFuture.completedFuture(
                                Optional.of("was taken over by a supervisor that registered later"));
                    case CoordinationException.NoSuchNode _ ->
                        CompletableFuture.completedFuture(Optional.of("was removed"));
                    case Throwable unknown -> CompletableFuture.failedFuture(unknown);
                });
    }

    /** The run is counted in the same transaction: who held the record later has the higher one. */
    private CompletableFuture<Holder> create(List<Operation> before) {
        return runs.next().thenCompose(next -> {
            List<Operation> all = new ArrayList<>(before);
            all.addAll(next.count());
            all.add(new Operation.Create(path, Json.bytes(self.withRun(next.number())), true));
            return store.commit(all)
                    .<Holder>thenApply(done -> new Holder.Us(next.number()))
                    .exceptionallyCompose(failure -> cause(failure) instanceof CoordinationException
                            ? CompletableFuture.completedFuture(new Holder.Nobody())
                            : CompletableFuture.failedFuture(failure));
        });
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
