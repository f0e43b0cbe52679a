// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

/**
 * What a frame client lets wait on one connection; a call beyond either bound fails at once with {@link WireCode#BUSY}.
 *
 * @param maxPending calls without an answer yet
 * @param maxUnsentBytes header and body bytes that the socket has not taken yet
 */
public record FrameClientLimits(int maxPending, long maxUnsentBytes) {

    public static final FrameClientLimits DEFAULT = new FrameClientLimits(1024, 128L << 20);

    public FrameClientLimits {
        if (maxPending < 1 || maxUnsentBytes < 1) {
            throw new IllegalArgumentException(
                    "limits of %d calls and %d bytes, expected at least 1".formatted(maxPending, maxUnsentBytes));
        }
    }
}
