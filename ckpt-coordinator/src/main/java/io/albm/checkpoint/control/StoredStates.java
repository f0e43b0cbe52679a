// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

import io.albm.checkpoint.protocol.Digests;
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
import java.security.MessageDigest;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Reads ranks' states from their indexes and packs in the striped store. Blocks: for use inside {@code files.run}. */
public final class StoredStates {
    private static final int BUFFER = 1 << 16;

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
        StateRestore restore = new StateRestore(index(unit), target, PageCheck.byHash());
        long local = takeFrom(copies.local(), restore);
        long partner = takeFrom(copies.partner(), restore);
        long stored = restore.missingBytes();
        for (PackId pack : restore.needed()) {
            restore.takeFrom(pack, files.openPack(paths.pack(pack)));
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

    /**
     * Puts a state together in a file that is open to be read and written, and empty. The channel stays the caller's.
     *
     * @param goesOn false when nobody wants it any more: nothing more is written then, and this fails
     */
    public RestoredState restore(StoredUnit unit, FileChannel file, StateCopies copies, BooleanSupplier goesOn)
            throws IOException {
        setLength(file, unit.size());
        StateOrigin origin = read(unit, whileWanted(PageTarget.of(file), goesOn), copies);
        return new RestoredState(sha256(file), origin);
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

    private static String sha256(FileChannel file) throws IOException {
        MessageDigest sha256 = Digests.sha256();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
        for (long at = 0; file.read(buffer, at) >= 0; at += buffer.limit(), buffer.clear()) {
            sha256.update(buffer.flip());
        }
        return Digests.hex(sha256.digest());
    }
}
