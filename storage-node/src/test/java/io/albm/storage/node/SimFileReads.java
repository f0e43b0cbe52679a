// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.StorageException;
import io.albm.storage.StoragePath;
import io.albm.storage.StripedFiles;
import io.albm.storage.StripedReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads ranges of files as a process does, and holds each byte against what may be there. */
final class SimFileReads {
    private static final int MOST_RANGES = 3;

    private final SimFileWorld world;
    private final Simulation simulation;
    private final SimNode process;

    SimFileReads(SimFileWorld world, SimNode process) {
        this.world = world;
        this.simulation = world.simulation();
        this.process = process;
    }

    /** Bytes that were read from a place on. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Read(int at, byte[] bytes) {
        boolean fits(byte[] content) {
            return Arrays.equals(bytes, 0, bytes.length, content, at, at + bytes.length);
        }
    }

    /** What was read of a file as it was when it was opened. */
    private record Seen(int length, List<Read> parts) {
        boolean fits(byte @Nullable [] content) {
            return content != null && content.length == length && parts.stream().allMatch(part -> part.fits(content));
        }

        @Override
        public String toString() {
            return length + " bytes, read "
                    + parts.stream()
                            .map(part -> part.bytes().length + " at " + part.at())
                            .toList();
        }
    }

    /** What is answered if a file could not be read. */
    static final int NOTHING = -1;

    /** Reads some of a file. @return the version that it was; fails if what was read cannot be there */
    CompletableFuture<Integer> of(StripedFiles files, FileHistory file) {
        return read(files, file, simulation.chance(0.4));
    }

    /** Reads all of a file. */
    CompletableFuture<Integer> whole(StripedFiles files, FileHistory file) {
        return read(files, file, true);
    }

    private CompletableFuture<Integer> read(StripedFiles files, FileHistory file, boolean isWhole) {
        int from = file.sure();
        return files.open(StoragePath.of(file.path()))
                .handle((reader, failure) -> failure == null
                        ? ranges(reader, file, from, isWhole)
                        : CompletableFuture.completedFuture(notOpened(file, from, SimRetry.cause(failure))))
                .thenCompose(done -> done)
                .whenComplete((done, failure) -> world.failOn(failure));
    }

    private int notOpened(FileHistory file, int from, Throwable failure) {
        if (failure instanceof StorageException.NoSuchFile) {
            return file.saw(from, file.last(), content -> content == null, "not there");
        }
        world.mayFail(failure);
        return NOTHING;
    }

    private CompletableFuture<Integer> ranges(StripedReader reader, FileHistory file, int from, boolean isWhole) {
        int upTo = file.last();
        Seen seen = new Seen((int) reader.file().length(), new ArrayList<>());
        CompletableFuture<?> read = isWhole
                ? range(reader, 0, seen.length(), seen.parts())
                : some(reader, simulation.random().nextInt(MOST_RANGES + 1), seen.parts());
        return read.handle((done, failure) -> {
            int version = file.saw(from, upTo, seen::fits, seen);
            world.read(seen.parts().size());
            if (failure != null) {
                failed(SimRetry.cause(failure), file, upTo);
            }
            return failure == null ? version : NOTHING;
        });
    }

    private CompletableFuture<?> some(StripedReader reader, int count, List<Read> to) {
        int length = (int) reader.file().length();
        if (count == 0 || length == 0) {
            return CompletableFuture.completedFuture(null);
        }
        int at = simulation.random().nextInt(length);
        int bytes = 1 + simulation.random().nextInt(length - at);
        return range(reader, at, at + bytes, to).thenCompose(nothing -> some(reader, count - 1, to));
    }

    private CompletableFuture<?> range(StripedReader reader, int at, int end, List<Read> to) {
        if (at >= end) {
            return CompletableFuture.completedFuture(null);
        }
        StripedReader.Piece piece = reader.pieceAt(at).part(at, end - at);
        return reader.read(piece).thenCompose(content -> {
            to.add(new Read(at, taken(content)));
            return sometimesLater().thenCompose(nothing -> range(reader, (int) piece.end(), end, to));
        });
    }

    private static byte[] taken(ByteBuf content) {
        byte[] bytes = ByteBufUtil.getBytes(content);
        content.release();
        return bytes;
    }

    /** The file changes, and nodes go, while it is open. */
    private CompletableFuture<Void> sometimesLater() {
        CompletableFuture<Void> later = new CompletableFuture<>();
        if (simulation.chance(0.1)) {
            process.after(
                    simulation.between(Duration.ZERO, Duration.ofMillis(800)), "read on", () -> later.complete(null));
        } else {
            later.complete(null);
        }
        return later;
    }

    private void failed(Throwable failure, FileHistory file, int upTo) {
        boolean isChanged = failure instanceof StorageException.FileChanged && file.last() > upTo;
        if (!isChanged) {
            world.mayFail(failure);
        }
    }

    /** Reads all of a segment that is durable and not part of a file yet. */
    CompletableFuture<Void> sent(StripedReader reader, byte[] bytes) {
        Seen seen = new Seen(bytes.length, new ArrayList<>());
        return range(reader, 0, bytes.length, seen.parts()).handle((done, failure) -> {
            if (failure != null) {
                world.mayFail(SimRetry.cause(failure));
            }
            if (!seen.fits(bytes)) {
                throw new AssertionError("WHAT IS READ IS WHAT WAS WRITTEN: of a segment that was sent " + seen);
            }
            return null;
        });
    }
}
