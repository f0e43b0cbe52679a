// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.unix.UnixChannel;

/**
 * Takes bytes straight from a connection's socket. For a protocol whose common case is a small request and a small answer
 * the way through a channel (its pipeline, its read buffer, its queue of writes) costs as much as everything else that is
 * done outside the kernel. Called on the channel's event loop.
 */
@FunctionalInterface
public interface DirectReader {
    /**
     * The socket has bytes, or its client's end, or an error. Throws nothing.
     *
     * @return false if nothing was read: the channel reads then, as it does without this
     */
    boolean read();

    /**
     * Asks {@code reader} first, as long as the channel is open. To be called while the channel is being registered, as
     * from {@code handlerAdded} of its initial handlers; without effect on transports that cannot do so.
     */
    static void install(UnixChannel channel, DirectReader reader) {
        FrugalEpoll.ask(channel.fd(), reader);
    }
}
