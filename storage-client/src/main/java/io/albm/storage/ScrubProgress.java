// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/**
 * How far a scrub or rebuild has come.
 *
 * @param checked blocks looked at
 * @param total blocks to look at
 * @param repaired blocks made again from their stripes
 * @param repairedBytes their bytes
 */
public record ScrubProgress(long checked, long total, long repaired, long repairedBytes) {
    /** Is told about progress, from any thread; must not block. */
    @FunctionalInterface
    public interface Listener {
        void progress(ScrubProgress progress);
    }
}
