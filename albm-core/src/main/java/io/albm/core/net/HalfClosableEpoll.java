// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;

/**
 * Native epoll for half-closed channels.
 *
 * <p>Netty 4.2.18 takes a channel that waits for no event out of the epoll set, but forgets that it did: the next interest
 * fails with {@code ENOENT} and the channel is closed. A channel whose peer has ended its direction waits for nothing until
 * a write does not fit into the socket's buffer; so the tail of what was to be sent would be lost. Here such a channel
 * stays in the set and waits for errors, which the kernel reports anyhow, once ({@code EPOLLET}), so that it costs no
 * busy loop.
 */
final class HalfClosableEpoll implements IoHandler {
    private static final EpollIoOps ERRORS_ONCE = EpollIoOps.EPOLLERR.with(EpollIoOps.EPOLLET);

    private final IoHandler epoll;

    private HalfClosableEpoll(IoHandler epoll) {
        this.epoll = epoll;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory factory = EpollIoHandler.newFactory();
        return executor -> new HalfClosableEpoll(factory.newHandler(executor));
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return new Registration(epoll.register(handle));
    }

    private record Registration(IoRegistration inner) implements IoRegistration {
        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's signature
        public <T> T attachment() {
            return inner.attachment();
        }

        @Override
        public long submit(IoOps ops) {
            return inner.submit(EpollIoOps.NONE.equals(ops) ? ERRORS_ONCE : ops);
        }

        @Override
        public boolean isValid() {
            return inner.isValid();
        }

        @Override
        public boolean cancel() {
            return inner.cancel();
        }
    }

    @Override
    public void initialize() {
        epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return epoll.run(context);
    }

    @Override
    public void prepareToDestroy() {
        epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
        epoll.destroy();
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return epoll.isCompatible(handleType);
    }
}
