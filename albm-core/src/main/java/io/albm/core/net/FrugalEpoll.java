// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Native epoll with fewer system calls, and for half-closed channels.
 *
 * <p><b>The kernel is told once per turn</b> what a channel waits for, just before the loop waits. Netty tells it with every
 * change: a connection that is accepted, answered and closed within a turn would be entered, changed and taken out for
 * nothing.
 *
 * <p><b>A new connection is read before it is waited for.</b> Its client has most often sent by then. One that has not costs
 * a read in vain, once.
 *
 * <p><b>Half-closed channels.</b> Netty 4.2.18 takes a channel that waits for no event out of the epoll set, but forgets that
 * it did: the next interest fails with {@code ENOENT} and the channel is closed. A channel whose peer has ended its direction
 * waits for nothing until a write does not fit into the socket's buffer; so the tail of what was to be sent would be lost.
 * Here such a channel stays in the set and waits for errors, which the kernel reports anyhow, once ({@code EPOLLET}), so
 * that it costs no busy loop.
 */
final class FrugalEpoll implements IoHandler {
    private static final Logger log = LoggerFactory.getLogger(FrugalEpoll.class);
    private static final EpollIoOps ERRORS_ONCE = EpollIoOps.EPOLLERR.with(EpollIoOps.EPOLLET);
    private static final EpollIoOps NEW_CONNECTION = EpollIoOps.EPOLLIN.with(EpollIoOps.EPOLLRDHUP);
    private static final EpollIoEvent READABLE = () -> EpollIoOps.EPOLLIN;

    private static final FastThreadLocal<FrugalEpoll> OF_THIS_LOOP = new FastThreadLocal<>();

    private final IoHandler epoll;
    private @Nullable Registration newest;
    private final List<Registration> changed = new ArrayList<>();

    private FrugalEpoll(IoHandler epoll) {
        this.epoll = epoll;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory factory = EpollIoHandler.newFactory();
        return executor -> new FrugalEpoll(factory.newHandler(executor));
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        newest = new Registration((EpollIoHandle) handle);
        return newest.of(epoll.register(newest));
    }

    /** Has a reader asked first for a channel that has just been registered with this thread's loop, if it is of this kind. */
    static void ask(FileDescriptor socket, DirectReader reader) {
        FrugalEpoll loop = OF_THIS_LOOP.getIfExists();
        if (loop != null && loop.newest != null && loop.newest.fd().equals(socket)) {
            loop.newest.reader = reader;
        }
    }

    @Override
    public int run(IoHandlerContext context) {
        // By index: a connection that is read here may change what others wait for.
        for (int next = 0; next < changed.size(); next++) {
            changed.get(next).tell();
        }
        changed.clear();
        return epoll.run(context);
    }

    /** One object for both directions, since each one more costs a miss of the processor's cache with every event. */
    private final class Registration implements IoRegistration, EpollIoHandle {
        private final EpollIoHandle handle;
        private @Nullable DirectReader reader;
        private @Nullable IoRegistration inner;
        private EpollIoOps wanted = EpollIoOps.NONE;
        private EpollIoOps told = EpollIoOps.NONE;
        private boolean listed;

        private Registration(EpollIoHandle handle) {
            this.handle = handle;
        }

        private Registration of(IoRegistration kernels) {
            inner = kernels;
            return this;
        }

        private IoRegistration inner() {
            return Objects.requireNonNull(inner, "registered at once");
        }

        @Override
        public void handle(IoRegistration from, IoEvent event) {
            if (reader == null || !EpollIoOps.EPOLLIN.equals(((EpollIoEvent) event).ops()) || !reader.read()) {
                handle.handle(from, event);
            }
        }

        @Override
        public FileDescriptor fd() {
            return handle.fd();
        }

        @Override
        public void registered() {
            handle.registered();
        }

        @Override
        public void unregistered() {
            handle.unregistered();
        }

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's signature
        public <T> T attachment() {
            return inner().attachment();
        }

        @Override
        public long submit(IoOps ops) {
            if (!isValid()) {
                return -1;
            }
            wanted = EpollIoOps.NONE.equals(ops) ? ERRORS_ONCE : (EpollIoOps) ops;
            if (!listed) {
                listed = true;
                changed.add(this);
            }
            return wanted.value();
        }

        private void tell() {
            listed = false;
            if (isValid() && !isKnown() && wanted.equals(NEW_CONNECTION)) {
                read();
            }
            if (isValid() && !told.equals(wanted)) {
                tellKernel();
            }
        }

        /** As {@link EpollIoHandler} does, which outlives whatever a handler throws. */
        private void read() {
            try {
                handle(this, READABLE);
            } catch (RuntimeException e) {
                log.warn("reading {}", handle, e);
                close();
            }
        }

        private boolean isKnown() {
            return !told.equals(EpollIoOps.NONE);
        }

        private void tellKernel() {
            try {
                inner().submit(wanted);
                told = wanted;
            } catch (RuntimeException e) {
                log.debug("epoll takes {} no more: it is closed", handle, e);
                close();
            }
        }

        @Override
        public void close() {
            try {
                handle.close();
            } catch (Exception e) {
                log.debug("closing {}", handle, e);
            }
        }

        @Override
        public boolean isValid() {
            return inner().isValid();
        }

        /** Netty takes every open channel out of the epoll set, which fails if it is not in it. */
        @Override
        public boolean cancel() {
            if (isValid() && !isKnown() && handle.fd().isOpen()) {
                wanted = ERRORS_ONCE;
                tellKernel();
            }
            return inner().cancel();
        }
    }

    @Override
    public void initialize() {
        OF_THIS_LOOP.set(this);
        epoll.initialize();
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
