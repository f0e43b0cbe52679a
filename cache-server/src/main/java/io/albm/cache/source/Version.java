// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import java.time.Duration;
import java.time.Instant;

/**
 * What tells one state of a file from another without reading it. The change time and the file number catch a
 * replacement that keeps size and modification time, as {@code cp -p} and a rename over the file do.
 *
 * @param bytes size
 * @param modified when the content was last written, by the file system's clock
 * @param changed when the file's entry last changed, by the same clock
 * @param fileNumber inode number
 */
public record Version(long bytes, Instant modified, Instant changed, long fileNumber) {

    /** File times advance in ticks of the kernel's timer: up to 10 ms, and some room. */
    static final Duration TICK = Duration.ofMillis(50);

    /**
     * Whether a write from {@code moment} on would show in the version. A file that changed in the very tick may change
     * again in it and look the same. Only the change time tells: the modification time may be set to any value.
     */
    boolean isSettledAt(Instant moment) {
        return changed.isBefore(moment.minus(TICK));
    }
}
