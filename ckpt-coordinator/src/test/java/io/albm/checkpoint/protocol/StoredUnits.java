// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.savings.CheckpointPages;
import io.albm.checkpoint.savings.PageSource;
import io.albm.checkpoint.savings.StatePlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.CRC32C;

/** Stores ranks' states as a supervisor does, without a base. Blocks. */
public record StoredUnits(CheckpointFiles files, JobPaths paths, long checkpoint) {
    public static LocalCopy copy(byte[] state) {
        CRC32C crc = new CRC32C();
        crc.update(state);
        return new LocalCopy(state.length, crc.getValue());
    }

    public StoredUnit store(int rank, byte[] state) {
        try {
            CheckpointPages pages = new CheckpointPages(checkpoint, paths);
            StatePlan plan = pages.plan(rank, PageSource.of(state), state.length, copy(state));
            byte[] pack = plan.pack(PageSource.of(state)).readAllBytes();
            byte[] index = plan.index().bytes();
            files.write(paths.pack(new PackId(checkpoint, rank)), pack).join();
            files.write(paths.index(checkpoint, rank), index).join();
            return pages.stored(rank, pack.length, index);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
