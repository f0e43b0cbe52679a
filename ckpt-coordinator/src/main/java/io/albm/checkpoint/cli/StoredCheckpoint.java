// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.control.StoredStates;
import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Manifest;

/** A complete checkpoint, read as a restart reads it: every page is compared with its digest. Blocks. */
record StoredCheckpoint(StripedCheckpointFiles files, JobPaths paths, Committed entry) {
    /** @throws java.util.concurrent.CompletionException if it cannot be read, or is not the one that was committed */
    Manifest manifest() {
        return JobStore.manifest(entry, files).join();
    }

    /** The ranks' states. */
    StoredStates states() {
        return new StoredStates(files, paths);
    }
}
