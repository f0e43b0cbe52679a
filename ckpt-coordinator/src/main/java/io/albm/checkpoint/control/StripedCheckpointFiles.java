// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

import io.albm.checkpoint.protocol.CheckpointFiles;
import io.albm.checkpoint.protocol.LostDataException;
import io.albm.checkpoint.savings.PackSource;
import io.albm.storage.Fence;
import io.albm.storage.FileInfo;
import io.albm.storage.Permits;
import io.albm.storage.PutMode;
import io.albm.storage.StorageException;
import io.albm.storage.StoragePath;
import io.albm.storage.StripedStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/** Checkpoint files in the striped store. Each request blocks one virtual thread. */
public final class StripedCheckpointFiles implements CheckpointFiles {
    /**
     * What all ranks that go back on this host may have asked for of their packs: two stripes of the usual size fill links that
     * are much faster than disks. More would wait in the nodes' ports, where it makes reads look as if their node were slow.
     */
    private static final long MOST_READ_BYTES = 8 << 20;

    private final StripedStore store;
    private final Executor blocking;
    private final Permits reads;

    /** @param blocking runs tasks that block, each on a thread of its own */
    public StripedCheckpointFiles(StripedStore store, Executor blocking) {
        this(store, blocking, new Permits(MOST_READ_BYTES));
    }

    private StripedCheckpointFiles(StripedStore store, Executor blocking, Permits reads) {
        this.store = store;
        this.blocking = blocking;
        this.reads = reads;
    }

    /** The same, refused by the storage once a higher epoch has been seen for the job. */
    public StripedCheckpointFiles fenced(String job, long epoch) {
        return new StripedCheckpointFiles(store.withFence(new Fence("job-" + job, epoch)), blocking, reads);
    }

    @Override
    public CompletableFuture<Void> write(String path, byte[] content) {
        return run(() -> store.writeBytes(path, content, PutMode.REPLACE)).thenAccept(_ -> {});
    }

    /**
     * Stores a file, under a name that is new or was left by an earlier try of the same bytes. For use inside {@link #run}.
     *
     * @return its length
     */
    public long store(String path, StripedStore.Source source) throws IOException {
        return store.writeFile(path, source, PutMode.REPLACE).length();
    }

    /** Opens a pack, for use inside {@link #run}. */
    PackSource openPack(String path) throws IOException {
        return new StripedPack(StripedStore.await(store.files().open(StoragePath.of(path))), reads);
    }

    /** Reads a small file, for use inside {@link #run}. */
    byte[] readNow(String path) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        store.readFile(path, content);
        return content.toByteArray();
    }

    @Override
    public CompletableFuture<byte[]> read(String path) {
        return run(() -> readNow(path));
    }

    @Override
    public CompletableFuture<Map<String, Long>> list(String prefix) {
        return run(() -> store.list(prefix).stream().collect(Collectors.toMap(FileInfo::path, FileInfo::length)));
    }

    @Override
    public CompletableFuture<Void> delete(String path) {
        return run(() -> {
                    try {
                        store.delete(path);
                        return true;
                    } catch (StorageException.NoSuchFile gone) {
                        return false;
                    }
                })
                .thenAccept(_ -> {});
    }

    /** Work that blocks. */
    @FunctionalInterface
    public interface Task<T> {
        T run() throws IOException;
    }

    /** Runs the task where it may block, and tells lost bytes from unreachable ones. */
    public <T> CompletableFuture<T> run(Task<T> task) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return task.run();
                    } catch (StorageException e) {
                        throw isLost(e)
                                ? new LostDataException(String.valueOf(e.getMessage()), e)
                                : new CompletionException(e);
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                blocking);
    }

    /** Bytes are lost only if every cause of the loss is: a node that is merely away may come back with its blocks. */
    public static boolean isLost(StorageException failure) {
        return switch (failure) {
            case StorageException.NoSuchFile e -> true;
            case StorageException.FileCorrupt e -> true;
            case StorageException.BlockMissing e -> true;
            case StorageException.BlockCorrupt e -> true;
            case StorageException.DataLost e -> e.causes().stream().allMatch(StripedCheckpointFiles::isLost);
            case StorageException.FileExists e -> false;
            case StorageException.FileChanged e -> false;
            case StorageException.MovedByOthers e -> false;
            case StorageException.TooFewNodes e -> false;
            case StorageException.NoReplacement e -> false;
            case StorageException.CannotReplace e -> false;
            case StorageException.CannotSpread e -> false;
            case StorageException.CannotRetire e -> false;
            case StorageException.CannotMoveTable e -> false;
            case StorageException.NodeUnreachable e -> false;
            case StorageException.NodeSlow e -> false;
            case StorageException.NodeFailed e -> false;
            case StorageException.NoSpace e -> false;
            case StorageException.Fenced e -> false;
            case StorageException.TableUnavailable e -> false;
            case StorageException.OutcomeUnknown e -> false;
            case StorageException.AnswersLost e -> false;
            case StorageException.WriteExpired e -> false;
            case StorageException.Refused e -> false;
        };
    }
}
