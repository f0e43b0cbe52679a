// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import io.albm.checkpoint.control.RestoredState;
import io.albm.checkpoint.control.StateOrigin;
import io.albm.checkpoint.job.DrainOrder;
import io.albm.checkpoint.job.PartnerOrder;
import io.albm.checkpoint.job.RankHost;
import io.albm.checkpoint.job.RankStart;
import io.albm.checkpoint.job.RestoreOrder;
import io.albm.checkpoint.protocol.LostDataException;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.strategy.TcpSegments;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A host whose ranks are played: what is asked of it is noted, and the test says when it is done. */
final class PlayedHost implements RankHost {
    private final long run;
    private final @Nullable Listener listener;
    private final List<String> done;
    private final CompletableFuture<Integer> cleared = new CompletableFuture<>();
    private long renewed;
    private volatile long drainProgress;
    private CompletableFuture<Void> killed = new CompletableFuture<>();
    private CompletableFuture<Void> ready = CompletableFuture.completedFuture(null);

    /** @param done gets what is asked for, with the run before it */
    PlayedHost(long run, @Nullable Listener listener, List<String> done) {
        this.run = run;
        this.listener = listener;
        this.done = done;
    }

    /** To be completed with the number of left-overs. */
    CompletableFuture<Integer> cleared() {
        return cleared;
    }

    /** To be completed when the ranks of the last start are dead. */
    CompletableFuture<Void> killed() {
        return killed;
    }

    /** To be completed when the ranks of the next start are ready; else they are at once. */
    CompletableFuture<Void> makesReady() {
        ready = new CompletableFuture<>();
        return ready;
    }

    /** It has come that far with the states of the checkpoint in hand. */
    void drained(long bytes) {
        drainProgress = bytes;
    }

    Listener listener() {
        if (listener == null) {
            throw new AssertionError("not opened");
        }
        return listener;
    }

    /** Until when its ranks may run. */
    long renewed() {
        return renewed;
    }

    private void did(String what) {
        done.add(run + " " + what);
    }

    @Override
    public String name() {
        return "played";
    }

    @Override
    public CompletableFuture<Integer> killLeftOvers() {
        did("clear");
        return cleared;
    }

    @Override
    public CompletableFuture<Map<Integer, Long>> start(RankStart start) {
        did("start " + start.attempt());
        killed = new CompletableFuture<>();
        return ready.thenApply(
                _ -> start.ranks().stream().collect(Collectors.toMap(rank -> rank, rank -> 100L + rank)));
    }

    @Override
    public CompletableFuture<Void> killAll() {
        did("kill");
        return killed;
    }

    @Override
    public void renew(long until) {
        renewed = until;
    }

    @Override
    public void disconnected(int rank) {}

    @Override
    public Path saved(long checkpoint, int rank) {
        return Path.of("saved");
    }

    @Override
    public Path restored(int rank) {
        return Path.of("restored");
    }

    @Override
    public CompletableFuture<RestoredState> restore(RestoreOrder order) {
        did("restore " + order.unit().rank());
        return order.unit().size() > 0
                ? CompletableFuture.completedFuture(new RestoredState("digest", StateOrigin.NONE))
                : CompletableFuture.failedFuture(new LostDataException("gone"));
    }

    @Override
    public CompletableFuture<Set<Integer>> hold(PartnerOrder order) {
        did("hold copies of " + order.checkpoint());
        return CompletableFuture.completedFuture(
                order.copies().stream().map(PartnerOrder.Wanted::rank).collect(Collectors.toSet()));
    }

    @Override
    public CompletableFuture<StoredUnit> drain(DrainOrder order) {
        return new CompletableFuture<>();
    }

    @Override
    public void discard(long checkpoint) {
        did("discard " + checkpoint);
    }

    @Override
    public void discardBefore(long checkpoint) {
        did("discard before " + checkpoint);
    }

    @Override
    public TcpSegments segments() {
        return TcpSegments.NONE;
    }

    @Override
    public long drainProgress() {
        return drainProgress;
    }

    @Override
    public void close() {}
}
