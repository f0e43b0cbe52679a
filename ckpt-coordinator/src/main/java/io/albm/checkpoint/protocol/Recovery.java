// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Finds and fetches the last complete checkpoint of a job (P3, rollback recovery).
 *
 * <p>Only what was committed, and not abandoned by an operator's choice of an older one, is looked at, and every byte is checked before any rank sees it: the manifest against the
 * digest in the commit record, each unit against the digest in the manifest. <em>Corrupt</em> is loud and goes to the
 * next older one; <em>unreachable</em> waits, for as long as it takes, because to go further back silently would lose
 * work that is safe. If checkpoints were committed and none is usable, it fails: a job never starts over silently.
 *
 * <p>When a checkpoint turns out unusable the list is read anew first, since a newer one may have been committed, and
 * this one have been retired, meanwhile. One recovery is used once; not thread-safe.
 */
public final class Recovery {
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** Copies a stored unit to where its rank will read it. */
    @FunctionalInterface
    public interface Fetcher {
        /** Completes with the SHA-256, in lower-case hexadecimal, of the bytes that the rank will read. */
        CompletableFuture<String> fetch(StoredUnit unit);
    }

    /** Runs something later. */
    @FunctionalInterface
    public interface Later {
        void after(Duration delay, Runnable action);
    }

    private final JobStore store;
    private final CheckpointFiles files;
    private final Fetcher fetcher;
    private final int atOnce;
    private final Later later;
    private final Consumer<RecoveryEvent> events;
    private final List<Long> unusable = new ArrayList<>();

    /** @param atOnce units that are fetched at the same time, at least 1 */
    public Recovery(
            JobStore store,
            CheckpointFiles files,
            Fetcher fetcher,
            int atOnce,
            Later later,
            Consumer<RecoveryEvent> events) {
        this.store = store;
        this.files = files;
        this.fetcher = fetcher;
        this.atOnce = atOnce;
        this.later = later;
        this.events = events;
    }

    /**
     * Fetches all ranks' states.
     *
     * @return the manifest of the checkpoint that was fetched; empty if none was ever committed. Fails with {@link
     *     LostDataException} if there are committed checkpoints and none is usable.
     */
    public CompletableFuture<Optional<Manifest>> restoreLatest() {
        return insist(store::marks)
                .thenCompose(marks -> insist(store::committedNumbers)
                        .thenCompose(committed -> restoreNewest(committed, marks.usable(committed))));
    }

    private CompletableFuture<Optional<Manifest>> restoreNewest(SortedSet<Long> committed, SortedSet<Long> usable) {
        Optional<Long> newest = usable.reversed().stream()
                .filter(number -> !unusable.contains(number))
                .findFirst();
        if (newest.isPresent()) {
            return restore(newest.get());
        }
        return committed.isEmpty() && unusable.isEmpty()
                ? CompletableFuture.completedFuture(Optional.empty())
                : CompletableFuture.failedFuture(new LostDataException("none of the committed checkpoints " + unusable
                        + " of job " + store.paths().job() + " is usable; look at the storage with: albm ckpt verify "
                        + store.paths().job()));
    }

    private CompletableFuture<Optional<Manifest>> restore(long number) {
        CompletableFuture<Optional<Manifest>> restored = insist(() -> store.committed(number))
                .thenCompose(entry -> entry.map(this::manifest)
                        .orElseGet(() -> CompletableFuture.failedFuture(new LostDataException("it was retired"))))
                .thenCompose(manifest -> fetchAll(manifest).thenApply(done -> Optional.of(manifest)));
        return restored.exceptionallyCompose(failure -> {
            unusable.add(number);
            events.accept(new RecoveryEvent.Corrupt(
                    number, String.valueOf(cause(failure).getMessage())));
            return restoreLatest();
        });
    }

    private CompletableFuture<Manifest> manifest(Committed entry) {
        return insist(() -> JobStore.manifest(entry, files));
    }

    /**
     * Some at a time, from a start that differs between checkpoints: a restart is the true incast. When it has failed, too,
     * nothing is on its way any more that could come in between what is fetched next.
     */
    private CompletableFuture<Void> fetchAll(Manifest manifest) {
        int units = manifest.units().size();
        int start = (int) (manifest.number() % units);
        AtomicBoolean failed = new AtomicBoolean();
        List<CompletableFuture<Void>> lanes = new ArrayList<>();
        for (int first = 0; first < Math.min(atOnce, units); first++) {
            CompletableFuture<Void> lane = CompletableFuture.completedFuture(null);
            for (int i = first; i < units; i += atOnce) {
                StoredUnit unit = manifest.units().get((start + i) % units);
                lane = lane.thenCompose(done -> fetchUnless(failed, unit));
            }
            lanes.add(lane);
        }
        return CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Void> fetchUnless(AtomicBoolean failed, StoredUnit unit) {
        return failed.get()
                ? CompletableFuture.completedFuture(null)
                : insist(() -> fetcher.fetch(unit))
                        .thenAccept(digest -> check(unit, digest))
                        .whenComplete((done, failure) -> failed.compareAndSet(false, failure != null));
    }

    private static void check(StoredUnit unit, String digest) {
        if (!digest.equals(unit.sha256())) {
            throw new LostDataException("state of rank " + unit.rank() + " in " + unit.path()
                    + " is not what was stored: SHA-256 " + digest + ", expected " + unit.sha256());
        }
    }

    private <T> CompletableFuture<T> insist(Supplier<CompletableFuture<T>> request) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(request, result, (failure, again) -> {
            events.accept(new RecoveryEvent.Waiting(String.valueOf(failure.getMessage())));
            later.after(RETRY, again);
        });
        return result;
    }

    private static <T> void attempt(
            Supplier<CompletableFuture<T>> request,
            CompletableFuture<T> result,
            BiConsumer<Throwable, Runnable> unreachable) {
        var _ = request.get().whenComplete((value, failure) -> {
            if (failure == null) {
                result.complete(value);
            } else if (cause(failure) instanceof LostDataException lost) {
                result.completeExceptionally(lost);
            } else {
                unreachable.accept(cause(failure), () -> attempt(request, result, unreachable));
            }
        });
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }
}
