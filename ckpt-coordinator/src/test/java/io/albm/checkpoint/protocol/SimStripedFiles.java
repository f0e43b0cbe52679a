// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.node.NodeId;
import io.albm.core.sim.FaultPlan;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.Fence;
import io.albm.storage.FileInfo;
import io.albm.storage.PutMode;
import io.albm.storage.StorageException;
import io.albm.storage.StoragePath;
import io.albm.storage.StripedFiles;
import io.albm.storage.StripedReader;
import io.albm.storage.StripedWriter;
import io.albm.storage.node.SimIoFault;
import io.albm.storage.node.SimIoNodes;
import io.albm.storage.node.SimRetry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The production striped store over simulated I/O nodes. Within the parity's tolerance nothing may ever be lost. */
final class SimStripedFiles implements SimStorage {
    private static final int DATA_UNITS = 4;

    private final SimIoNodes nodes;

    SimStripedFiles(Simulation simulation, SimDirectory directory, int parityUnits, SimIoFault fault) {
        nodes = new SimIoNodes(simulation, directory, DATA_UNITS + parityUnits, parityUnits, fault);
    }

    /** Two stripes, a part of one, and less than a unit. */
    @Override
    public List<Integer> stateBytes() {
        return List.of(300_000, 150_000, 20);
    }

    @Override
    public CheckpointFiles clientOf(SimNode process, CoordinationStore session, @Nullable Fence fence) {
        StripedFiles files = nodes.filesOf(process, session);
        return new Client(fence == null ? files : files.withFence(fence));
    }

    @Override
    public void addFaults(FaultPlan plan, Supplier<Optional<String>> expendable) {
        nodes.addFaults(plan);
    }

    @Override
    public void endFaults() {
        nodes.endFaults();
    }

    @Override
    public long changes() {
        return nodes.changes();
    }

    @Override
    public Set<String> paths() {
        return nodes.visible().keySet();
    }

    @Override
    public Optional<byte[]> content(String path) {
        return nodes.content(path);
    }

    @Override
    public boolean isRotten(String path) {
        return false;
    }

    @Override
    public boolean isClean() {
        return nodes.isClean();
    }

    /** As {@link StripedCheckpointFiles} does it with threads that block, step by step with futures. */
    private record Client(StripedFiles files) implements CheckpointFiles {
        @Override
        public CompletableFuture<Void> write(String path, byte[] content) {
            return translated(SimRetry.over(avoided -> put(StoragePath.of(path), content, avoided)))
                    .thenAccept(file -> {});
        }

        private CompletableFuture<FileInfo> put(StoragePath path, byte[] content, Set<NodeId> avoided) {
            return files.create(path, PutMode.REPLACE, avoided, Long.MAX_VALUE)
                    .thenCompose(writer -> append(writer, ByteBuffer.wrap(content))
                            .exceptionallyCompose(failure ->
                                    writer.abort().thenCompose(aborted -> CompletableFuture.failedFuture(failure)))
                            .thenCompose(all -> writer.commit()));
        }

        private static CompletableFuture<Void> append(StripedWriter writer, ByteBuffer content) {
            return content.hasRemaining()
                    ? writer.append(content).thenCompose(room -> append(writer, content))
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<byte[]> read(String path) {
            return translated(files.open(StoragePath.of(path))
                    .thenCompose(reader -> read(reader, 0, new ByteArrayOutputStream())));
        }

        private static CompletableFuture<byte[]> read(StripedReader reader, long at, ByteArrayOutputStream to) {
            if (at == reader.file().length()) {
                return checked(reader.file(), to.toByteArray());
            }
            StripedReader.Piece piece = reader.pieceAt(at);
            return reader.read(piece).thenCompose(content -> {
                to.writeBytes(take(content));
                return read(reader, piece.end(), to);
            });
        }

        private static byte[] take(ByteBuf content) {
            try {
                return ByteBufUtil.getBytes(content);
            } finally {
                content.release();
            }
        }

        private static CompletableFuture<byte[]> checked(FileInfo file, byte[] content) {
            CRC32C crc = new CRC32C();
            crc.update(content);
            return crc.getValue() == file.content().crc32c()
                    ? CompletableFuture.completedFuture(content)
                    : CompletableFuture.failedFuture(new StorageException.FileCorrupt(file.path()));
        }

        @Override
        public CompletableFuture<Map<String, Long>> list(String prefix) {
            return translated(files.list(prefix))
                    .thenApply(all -> all.stream().collect(Collectors.toMap(FileInfo::path, FileInfo::length)));
        }

        @Override
        public CompletableFuture<Void> delete(String path) {
            return files.delete(StoragePath.of(path))
                    .<Void>thenApply(file -> null)
                    .exceptionallyCompose(failure -> SimRetry.cause(failure) instanceof StorageException.NoSuchFile
                            ? CompletableFuture.completedFuture(null)
                            : CompletableFuture.failedFuture(SimRetry.cause(failure)));
        }

        private static <T> CompletableFuture<T> translated(CompletableFuture<T> result) {
            return result.exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                    SimRetry.cause(failure) instanceof StorageException storage
                                    && StripedCheckpointFiles.isLost(storage)
                            ? new LostDataException(String.valueOf(storage.getMessage()), storage)
                            : SimRetry.cause(failure)));
        }
    }
}
