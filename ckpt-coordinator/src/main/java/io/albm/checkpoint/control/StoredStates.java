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
import java.util.List;

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
     * @param localCopies where to look before anything is fetched
     * @return how many bytes were in local copies
     * @throws LostDataException if a page is gone or not what was stored
     */
    public long read(StoredUnit unit, PageTarget target, List<PageSource> localCopies) throws IOException {
        StateRestore restore = new StateRestore(index(unit), target, PageCheck.byHash());
        for (PageSource copy : localCopies) {
            restore.takeFrom(copy);
        }
        for (PackId pack : restore.needed()) {
            restore.takeFrom(pack, files.openPack(paths.pack(pack)));
        }
        return restore.bytesFromLocalCopy();
    }
}
