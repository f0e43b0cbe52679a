// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.channel.Channel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An address that is listened on, and the frontend that its clients come in at. The frontend can be exchanged, so that an
 * address passes from one to another without a moment at which nobody listens. Thread-safe.
 */
public final class Listener implements AutoCloseable {
    private volatile Frontend frontend;
    private volatile @Nullable Channel channel;

    Listener(Frontend frontend) {
        this.frontend = frontend;
    }

    void bound(Channel listening) {
        channel = listening;
    }

    Frontend frontend() {
        return frontend;
    }

    /** Lets clients that come from now on in at that frontend. */
    public void serve(Frontend other) {
        frontend = other;
    }

    /** Where, with the port that was found if any would do. */
    public NodeAddress address() {
        return Transport.localAddress(Objects.requireNonNull(channel));
    }

    boolean isClosed() {
        Channel listening = channel;
        return listening != null && !listening.isOpen();
    }

    /** Accepts nobody any more; who was accepted stays. */
    @Override
    public void close() {
        Objects.requireNonNull(channel).close().syncUninterruptibly();
    }
}
