// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.LostDataException;
import io.albm.checkpoint.protocol.PackId;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.savings.PageCheck;
import io.albm.checkpoint.savings.PageSource;
import io.albm.checkpoint.savings.PageTarget;
import io.albm.checkpoint.savings.StateIndex;
import io.albm.checkpoint.savings.StateRestore;
import io.albm.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Reads ranks' states from their indexes and packs in the striped store. Blocks: for use inside {@code files.run}. */
public final class StoredStates {
    private final StripedCheckpointFiles files;
    private final JobPaths paths;

    public StoredStates(StripedCheckpointFiles files, JobPaths paths) {
        this.files = files;
        this.paths = paths;
    }

    /**
     * Which pages a state is made of.
     *
     * @throws LostDataException if the index is gone or not what was stored
     */
    public StateIndex index(StoredUnit unit) throws IOException {
        try {
            return StateIndex.of(unit, files.readNow(unit.path()));
        } catch (StorageException e) {
            if (StripedCheckpointFiles.isLost(e)) {
                throw new LostDataException(String.valueOf(e.getMessage()), e);
            }
            throw e;
        }
    }

    /**
     * Puts a state together.
     *
     * @param target has the state's length, and zeros
     * @throws LostDataException if a page is gone or not what was stored
     */
    public StateOrigin read(StoredUnit unit, PageTarget target, StateCopies copies) throws IOException {
        return fill(restore(unit, target), copies, () -> {});
    }

    /**
     * Puts a state together in a file that is open to be read and written, and empty. The channel stays the caller's.
     *
     * @param goesOn false when nobody wants it any more: nothing more is written then, and this fails
     */
    public RestoredState restore(StoredUnit unit, FileChannel file, StateCopies copies, BooleanSupplier goesOn)
            throws IOException {
        setLength(file, unit.size());
        FileDigest digest = new FileDigest(file);
        StateRestore restore = restore(unit, whileWanted(PageTarget.of(file), goesOn));
        StateOrigin origin = fill(restore, copies, () -> digest.take(restore.wholeBytes()));
        digest.take(unit.size());
        return new RestoredState(digest.hex(), origin);
    }

    private StateRestore restore(StoredUnit unit, PageTarget target) throws IOException {
        return new StateRestore(index(unit), target, PageCheck.byHash());
    }

    private StateOrigin fill(StateRestore restore, StateCopies copies, StateRestore.Meanwhile meanwhile)
            throws IOException {
        long local = takeFrom(copies.local(), restore);
        long partner = takeFrom(copies.partner(), restore);
        long stored = restore.missingBytes();
        for (PackId pack : restore.needed()) {
            restore.takeFrom(pack, files.openPack(paths.pack(pack)), meanwhile);
        }
        return new StateOrigin(local, partner, stored);
    }

    private static long takeFrom(List<PageSource> copies, StateRestore restore) throws IOException {
        long taken = 0;
        for (PageSource copy : copies) {
            taken += restore.takeFrom(copy);
        }
        return taken;
    }

    private static PageTarget whileWanted(PageTarget target, BooleanSupplier goesOn) {
        return (offset, from, at, length) -> {
            if (!goesOn.getAsBoolean()) {
                throw new IOException("this state is not wanted any more");
            }
            target.write(offset, from, at, length);
        };
    }

    /** Bytes that nobody writes are zeros, and take no room. */
    private static void setLength(FileChannel file, long length) throws IOException {
        if (length > 0) {
            file.write(ByteBuffer.allocate(1), length - 1);
        }
    }
}
