// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.control.StoredStates;
import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.LostDataException;
import io.albm.checkpoint.protocol.Manifest;
import io.albm.checkpoint.protocol.PackId;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.savings.CheckpointPages;
import io.albm.checkpoint.savings.PageSource;
import io.albm.checkpoint.savings.StatePlan;
import io.albm.checkpoint.savings.TornStateException;
import io.albm.storage.StripedStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the local copies of one checkpoint to the striped store, without what the store has already. Blocks; several
 * ranks may be drained at once.
 */
final class CheckpointDrain {
    private static final Logger log = LoggerFactory.getLogger(CheckpointDrain.class);

    private final long checkpoint;
    private final long base;
    private final JobStore store;
    private final LocalCopies copies;
    private final CheckpointPages pages;
    private final DrainProgress progress = new DrainProgress();
    private boolean baseIsKnown;

    /** @param base the complete checkpoint whose pages are not stored again; 0 for none */
    CheckpointDrain(long checkpoint, long base, JobStore store, LocalCopies copies) {
        this.checkpoint = checkpoint;
        this.base = base;
        this.store = store;
        this.copies = copies;
        this.pages = new CheckpointPages(checkpoint, store.paths());
        this.baseIsKnown = base == 0;
    }

    long checkpoint() {
        return checkpoint;
    }

    /** What {@link RankHost#drainProgress} says. */
    long progress() {
        return progress.bytes();
    }

    /**
     * Stores a rank's state; may be tried again.
     *
     * @param files fenced by the epoch of who asks for it
     * @throws TornStateException if the local copy is not what the rank wrote
     */
    StoredUnit store(StripedCheckpointFiles files, int rank, LocalCopy copy) throws IOException {
        learnBase(files);
        try (FileChannel file = FileChannel.open(copies.saved(checkpoint, rank))) {
            PageSource state = progress.ofTry(rank, PageSource.of(file));
            StatePlan plan = pages.plan(rank, state, file.size(), copy);
            String pack = store.paths().pack(new PackId(checkpoint, rank));
            long packBytes = plan.newBytes() == 0 ? 0 : files.store(pack, () -> plan.pack(state));
            byte[] index = plan.index().bytes();
            files.store(
                    store.paths().index(checkpoint, rank),
                    StripedStore.Source.of(index.length, () -> new ByteArrayInputStream(index)));
            return pages.stored(rank, packBytes, index);
        }
    }

    /** A base that is lost, or has mostly what nobody needs, is done without. */
    private synchronized void learnBase(StripedCheckpointFiles files) throws IOException {
        if (baseIsKnown) {
            return;
        }
        StoredStates states = new StoredStates(files, store.paths());
        try {
            Manifest manifest = store.manifest(base, files).join();
            if (!manifest.isMostlyDead()) {
                pages.addBase(manifest);
                for (StoredUnit unit : manifest.units()) {
                    if (pages.isFull()) {
                        break;
                    }
                    pages.addBase(states.index(unit));
                }
            }
        } catch (LostDataException lost) {
            noteLost(lost);
        } catch (CompletionException failure) {
            if (!LostDataException.isCauseOf(failure)) {
                throw new IOException("checkpoint " + base + " cannot be read: " + failure.getCause(), failure);
            }
            noteLost(failure);
        }
        baseIsKnown = true;
    }

    private void noteLost(RuntimeException lost) {
        log.warn(
                "job {}: checkpoint {} stores again what checkpoint {} has lost: {}",
                store.paths().job(),
                checkpoint,
                base,
                lost.getMessage());
    }
}
