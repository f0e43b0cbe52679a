// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.FileInfo;
import io.albm.storage.Inode;
import io.albm.storage.PutMode;
import io.albm.storage.SegmentWriter;
import io.albm.storage.StorageException;
import io.albm.storage.StoragePath;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableRefusal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process that changes files of its own, one change after the other, and may die at any moment. What it was answered is so
 * from then on; when it does not know, it looks before it goes on.
 */
final class SimFileClient {
    /** Longer than a request may be under way of which nobody hears any more. */
    private static final Duration QUIET = Duration.ofSeconds(7);

    private final SimFileWorld world;
    private final Simulation simulation;
    private final SplittableRandom random;
    private final SimNode process;
    private final List<FileHistory> own;
    private final SimFileReads reads;
    private StripedFiles files;
    private boolean isResting;

    /**
     * A change of files of this process.
     *
     * @param after what they become; null if they go
     */
    private record Step(String what, Map<FileHistory, byte @Nullable []> after, Supplier<CompletableFuture<?>> made) {
        @Override
        public String toString() {
            return what + " " + after.keySet();
        }
    }

    SimFileClient(SimFileWorld world, SimNode process, List<FileHistory> own) {
        this.world = world;
        this.simulation = world.simulation();
        this.random = simulation.random();
        this.process = process;
        this.own = own;
        this.files = world.connectClient(process);
        this.reads = new SimFileReads(world, process);
        process.onChange(this::restartLater);
    }

    SimNode process() {
        return process;
    }

    /** Whether it has nothing under way, and wants no more. */
    boolean isResting() {
        return isResting;
    }

    void begin() {
        pause(Duration.ofMillis(200), "next step", this::next);
        pause(Duration.ofMillis(200), "next look", this::look);
    }

    private void pause(Duration most, String what, Runnable then) {
        process.after(simulation.between(Duration.ZERO, most), what, then);
    }

    private void restartLater() {
        if (!process.isUp()) {
            simulation.schedule(
                    simulation.between(Duration.ofMillis(200), Duration.ofSeconds(3)), "restart a client", () -> {
                        if (!process.isUp()) {
                            process.restart();
                            files = world.connectClient(process);
                            process.after(QUIET, "look what is there", this::begin);
                        }
                    });
        }
    }

    /** Reads any file, on and on. */
    private void look() {
        if (!world.isEnding()) {
            reads.of(files, world.anyFile()).thenAccept(done -> pause(Duration.ofMillis(400), "next look", this::look));
        }
    }

    private void next() {
        List<FileHistory> open = own.stream().filter(file -> !file.isSettled()).toList();
        if (!open.isEmpty()) {
            settle(open.getFirst());
        } else if (world.isEnding()) {
            isResting = true;
        } else {
            run(step());
        }
    }

    /** Looks whether the last change was made; what is not there by now never will be. */
    private void settle(FileHistory file) {
        reads.whole(files, file)
                .thenAccept(version -> world.now(() -> {
                    if (version == SimFileReads.NOTHING) {
                        files = world.connectClient(process);
                    } else if (version == file.last()) {
                        file.made();
                    } else {
                        file.notMade();
                    }
                    pause(Duration.ofMillis(500), "next step", this::next);
                }));
    }

    private void run(Step step) {
        simulation.note(step);
        step.after().forEach(FileHistory::ask);
        step.made()
                .get()
                .thenCompose(done -> relied())
                .whenComplete((done, failure) -> world.now(() -> ended(step, failure)));
    }

    private CompletableFuture<Void> relied() {
        return world.rely(files)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        new StorageException.OutcomeUnknown("sync", String.valueOf(failure.getMessage()))));
    }

    private void ended(Step step, @Nullable Throwable failure) {
        simulation.note(failure == null ? "done" : failure);
        if (failure == null) {
            step.after().keySet().forEach(FileHistory::made);
            world.acknowledged(step.after().keySet());
            pause(Duration.ofMillis(200), "next step", this::next);
        } else {
            failed(step.after().keySet(), SimRetry.cause(failure));
        }
    }

    private void failed(Collection<FileHistory> changed, Throwable failure) {
        switch (failure) {
            case StorageException.OutcomeUnknown _ ->
                process.after(QUIET, "look what is there", () -> {
                    files = world.connectClient(process);
                    next();
                });
            case StorageException.TableUnavailable _, StorageException.WriteExpired _ -> {
                files = world.connectClient(process);
                goOnWithout(changed);
            }
            case StorageException.TooFewNodes _ -> goOnWithout(changed);
            case StorageException storage when storage.node().isPresent() -> goOnWithout(changed);
            case TableRefusal refusal
            when refusal.reason() == TableRefusal.Reason.NOT_ANNOUNCED -> goOnWithout(changed);
            default -> throw new AssertionError("NOTHING FAILS WITHOUT A REASON: " + failure, failure);
        }
    }

    private void goOnWithout(Collection<FileHistory> changed) {
        changed.forEach(FileHistory::notMade);
        pause(Duration.ofMillis(200), "next step", this::next);
    }

    private Step step() {
        FileHistory file = any(own);
        byte[] content = file.content();
        return switch (random.nextInt(content == null ? 3 : 12)) {
            case 0, 1, 2 -> put(file);
            case 3 -> rename(file, any(own));
            case 4 -> delete(file);
            case 5 -> change(file, PartialChange.whole(PartialChange.bytes(random, 1 + random.nextInt(6000))));
            default ->
                change(
                        file,
                        PartialChange.random(random, Objects.requireNonNull(content).length, world.mostPieceBytes()));
        };
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private static StoragePath path(FileHistory file) {
        return StoragePath.of(file.path());
    }

    private Step put(FileHistory file) {
        byte[] content = PartialChange.bytes(random, world.anyFileBytes());
        PutMode mode = file.content() == null ? PutMode.CREATE : PutMode.REPLACE;
        long expected = random.nextBoolean() ? content.length : Long.MAX_VALUE;
        return new Step(
                "put",
                Map.of(file, content),
                () -> SimRetry.over(avoided -> files.create(path(file), mode, avoided, expected)
                        .thenCompose(writer -> appended(content, writer::append, writer::abort)
                                .thenCompose(nothing -> writer.commit()))));
    }

    /** @return fails as an append does, after {@code abort} */
    private CompletableFuture<Void> appended(
            byte[] content,
            Function<ByteBuffer, CompletableFuture<Void>> append,
            Supplier<CompletableFuture<Void>> abort) {
        return appendOn(ByteBuffer.wrap(content), append)
                .exceptionallyCompose(
                        failure -> abort.get().thenCompose(aborted -> CompletableFuture.failedFuture(failure)));
    }

    private CompletableFuture<Void> appendOn(ByteBuffer left, Function<ByteBuffer, CompletableFuture<Void>> append) {
        if (!left.hasRemaining()) {
            return CompletableFuture.completedFuture(null);
        }
        int count = 1 + random.nextInt(left.remaining());
        ByteBuffer part = left.slice(left.position(), count);
        left.position(left.position() + count);
        return appendAll(part, append)
                .thenCompose(nothing -> sometimesLater())
                .thenCompose(nothing -> appendOn(left, append));
    }

    private static CompletableFuture<Void> appendAll(
            ByteBuffer part, Function<ByteBuffer, CompletableFuture<Void>> append) {
        return part.hasRemaining()
                ? append.apply(part).thenCompose(room -> appendAll(part, append))
                : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> sometimesLater() {
        CompletableFuture<Void> later = new CompletableFuture<>();
        if (simulation.chance(0.3)) {
            pause(Duration.ofMillis(200), "go on", () -> later.complete(null));
        } else {
            later.complete(null);
        }
        return later;
    }

    private Step rename(FileHistory from, FileHistory to) {
        if (from == to) {
            return delete(from);
        }
        Map<FileHistory, byte @Nullable []> after = new HashMap<>();
        after.put(from, null);
        after.put(to, from.content());
        return new Step("rename", after, () -> files.rename(path(from), path(to), PutMode.REPLACE));
    }

    private Step delete(FileHistory file) {
        Map<FileHistory, byte @Nullable []> after = new HashMap<>();
        after.put(file, null);
        return new Step("delete", after, () -> files.delete(path(file)));
    }

    private Step change(FileHistory file, PartialChange change) {
        byte[] after = change.applyTo(Objects.requireNonNull(file.content()));
        return new Step(
                "change",
                Map.of(file, after),
                () -> files.stat(path(file)).thenCompose(found -> change(found.orElseThrow(), change)));
    }

    private CompletableFuture<Inode> change(FileInfo found, PartialChange change) {
        Long base = random.nextBoolean() ? found.content().fingerprint() : null;
        if (change.pieces().isEmpty()) {
            return files.change(change.command(found.inode(), base, null, 0));
        }
        return SimRetry.over(avoided -> written(avoided, change)
                .thenCompose(segment ->
                        segment.commit((stored, crc32c) -> change.command(found.inode(), base, stored, crc32c))));
    }

    private CompletableFuture<SegmentWriter> written(Set<NodeId> avoided, PartialChange change) {
        byte[] bytes = change.written();
        try {
            SegmentWriter segment = files.segment(avoided, bytes.length, change.isWhole());
            return appended(bytes, segment::append, segment::abort)
                    .thenCompose(nothing -> sometimesSettled(segment, bytes))
                    .thenApply(nothing -> segment);
        } catch (StorageException tooFewNodes) {
            return CompletableFuture.failedFuture(tooFewNodes);
        }
    }

    /** As a mount sends ahead, and reads what it has sent. */
    private CompletableFuture<Void> sometimesSettled(SegmentWriter segment, byte[] bytes) {
        return simulation.chance(0.3)
                ? segment.settle()
                        .thenCompose(nothing -> reads.sent(segment.sent(), bytes))
                        .exceptionallyCompose(failure ->
                                segment.abort().thenCompose(aborted -> CompletableFuture.failedFuture(failure)))
                : CompletableFuture.completedFuture(null);
    }
}
