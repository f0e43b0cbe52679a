// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.netty.channel.DefaultMessageSizeEstimator;
import io.netty.channel.FileRegion;
import io.netty.channel.MessageSizeEstimator;

/**
 * How much a connection has to send. Netty counts a part of a file as nothing: however many large documents a client asks
 * for without taking them, its connection would seem to have room for more, and each that it takes would seem to be a
 * step back.
 */
final class PieceSizes implements MessageSizeEstimator {
    static final PieceSizes INSTANCE = new PieceSizes();

    /** Netty adds to it, in an int. */
    private static final int MOST = 1 << 30;

    private PieceSizes() {}

    @Override
    public Handle newHandle() {
        Handle others = DefaultMessageSizeEstimator.DEFAULT.newHandle();
        return piece -> piece instanceof FileRegion region ? (int) Math.min(MOST, region.count()) : others.size(piece);
    }
}
