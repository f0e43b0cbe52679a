// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.time.Duration;

/**
 * How a file system is mounted.
 *
 * @param threads how many requests are served at a time, 1 to 256; each costs a little over 1 MiB of memory
 * @param namesValid how long the kernel may take a name for what it was
 * @param attributesValid how long the kernel may take attributes for what they were
 * @param absenceValid how long the kernel may take a name for free that was
 */
public record MountOptions(int threads, Duration namesValid, Duration attributesValid, Duration absenceValid) {
    public MountOptions {
        if (threads < 1 || threads > 256) {
            throw new IllegalArgumentException("mount with " + threads + " threads: expected 1 to 256");
        }
    }
}
