// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.control.RestoredState;
import io.albm.checkpoint.control.StateOrigin;
import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.Recovery;
import io.albm.checkpoint.protocol.RecoveryEvent;
import io.albm.checkpoint.protocol.StoredUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Finds hosts for all ranks of a job of which none runs, and fetches the ranks' states there. Begun anew when a host is
 * lost on the way: its ranks' states are wanted on another one. For one thread, the supervisor's loop.
 */
final class RankRecovery {
    /** States that are fetched at the same time, two for each host: one is checked on the disk while others come. */
    private static final int LEAST_AT_ONCE = 4;

    private static final int MOST_AT_ONCE = 64;

    private final JobStore store;
    private final StripedCheckpointFiles files;
    private final JobHosts hosts;
    private final PartnerCopies copies;
    private final Executor loop;
    private final Recovery.Later later;
    private final Consumer<String> notices;
    private final Set<Long> damaged = new HashSet<>();
    private final Map<Integer, StateOrigin> origins = new HashMap<>();
    private int round;

    RankRecovery(
            JobStore store,
            StripedCheckpointFiles files,
            JobHosts hosts,
            PartnerCopies copies,
            Executor loop,
            Recovery.Later later,
            Consumer<String> notices) {
        this.store = store;
        this.files = files;
        this.hosts = hosts;
        this.copies = copies;
        this.loop = loop;
        this.later = later;
        this.notices = notices;
    }

    /**
     * Begins.
     *
     * @return the manifest of the checkpoint that the ranks go on from, on the loop; empty if there is none. Never completes
     *     if this is begun again, or abandoned.
     */
    CompletableFuture<Optional<Manifest>> begin() {
        int mine = ++round;
        origins.clear();
        CompletableFuture<Optional<Manifest>> result = new CompletableFuture<>();
        var _ = hosts.place()
                .thenCompose(_ -> restore(mine))
                .whenCompleteAsync(
                        (manifest, failure) -> {
                            if (mine == round) {
                                complete(result, manifest, failure);
                            }
                        },
                        loop);
        return result;
    }

    /** Nobody waits for it any more. */
    void abandon() {
        round++;
    }

    /** Where the states came from that were fetched last. */
    StateOrigin origin() {
        return origins.values().stream().reduce(StateOrigin.NONE, StateOrigin::plus);
    }

    /** What could not be restored is no base for others. */
    boolean isDamaged(long checkpoint) {
        return damaged.contains(checkpoint);
    }

    private CompletableFuture<Optional<Manifest>> restore(int mine) {
        int atOnce = Math.clamp(2L * hosts.count(), LEAST_AT_ONCE, MOST_AT_ONCE);
        return new Recovery(
                        store,
                        files,
                        unit -> fetch(mine, unit),
                        atOnce,
                        (delay, again) -> later.after(delay, () -> unlessOver(mine, again)),
                        event -> heard(mine, event))
                .restoreLatest();
    }

    /** What is tried again for as long as it takes must not be when nobody waits for it any more. */
    private void unlessOver(int mine, Runnable action) {
        if (mine == round) {
            action.run();
        }
    }

    private CompletableFuture<String> fetch(int mine, StoredUnit unit) {
        CompletableFuture<String> fetched = new CompletableFuture<>();
        loop.execute(() -> unlessOver(mine, () -> {
            RestoreOrder order =
                    new RestoreOrder(unit, copies.keeperOf(unit.rank()).orElse(null));
            var _ = hosts.hostOf(unit.rank())
                    .restore(order)
                    .thenApplyAsync(state -> taken(mine, unit.rank(), state), loop)
                    .whenComplete((digest, failure) -> complete(fetched, digest, failure));
        }));
        return fetched;
    }

    private String taken(int mine, int rank, RestoredState state) {
        unlessOver(mine, () -> origins.put(rank, state.origin()));
        return state.sha256();
    }

    private void heard(int mine, RecoveryEvent event) {
        loop.execute(() -> unlessOver(mine, () -> {
            if (event instanceof RecoveryEvent.Corrupt corrupt) {
                damaged.add(corrupt.number());
            }
            notices.accept(text(event));
        }));
    }

    private static String text(RecoveryEvent event) {
        return switch (event) {
            case RecoveryEvent.Corrupt corrupt ->
                "CORRUPT checkpoint " + corrupt.number() + " is not used, an older one is tried: " + corrupt.reason();
            case RecoveryEvent.Waiting waiting -> "waits for the cluster before going back: " + waiting.reason();
        };
    }

    private static <T> void complete(CompletableFuture<T> result, T value, Throwable failure) {
        if (failure == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(
                    failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure);
        }
    }
}
