// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.KernelPipe;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Lets the kernel move bulk from one connection to the other, so that it is not copied through this process: what flows
 * through a tunnel, and bodies whose length is known.
 *
 * <p>It works only within one read event and leaves nothing behind: what waits is spliced from socket to socket until
 * either has to wait, and what is in the pipe then is read and written the ordinary way. So ends, errors, backpressure and
 * timeouts stay where they are, in the channels' own events, and no byte can be stuck or lost in between. That is why one
 * pipe serves all connections of an event loop, and Netty's own {@code spliceTo}, which keeps state across events, is not
 * used. {@link BulkReads} says when.
 *
 * <p>Confined to its event loop.
 */
final class Shortcut {
    /** Reads as small as this are no sign of bulk. */
    static final int SMALLEST_BULK = 16 << 10;

    /** Pipes full in one event, so that one connection does not keep the loop from others. */
    private static final int MAX_ROUNDS = 16;

    /** Bytes asked for at a time: more was measured slower; a kernel that gives less moves less at a time. */
    private static final int PIPE_BYTES = 256 << 10;

    private final ProxyStats stats;
    private @Nullable KernelPipe pipe;
    private boolean impossible = !Epoll.isAvailable();

    Shortcut(ProxyStats stats) {
        this.stats = stats;
    }

    /** Whether the kernel can splice that connection. */
    static boolean isPossible(Channel channel) {
        return channel instanceof EpollSocketChannel && channel.pipeline().get(SslHandler.class) == null;
    }

    /** Whether what was read shows that more waits: it fills its buffer, and that is not a small one. */
    static boolean isBulk(ByteBuf read) {
        return !read.isWritable() && read.readableBytes() >= SMALLEST_BULK;
    }

    /**
     * Moves what waits at one connection, as far as the other one takes it: nothing while bytes that were written there are
     * not sent.
     *
     * @param most how many bytes may be moved
     * @return how many were; the last of them may be written only, and are to be flushed
     */
    long move(Channel from, Channel to, long most) {
        KernelPipe through = pipe();
        if (through == null) {
            return 0;
        }
        FileDescriptor in = ((EpollSocketChannel) from).fd();
        FileDescriptor out = ((EpollSocketChannel) to).fd();
        long moved = 0;
        boolean more = true;
        for (int round = 0; more && round < MAX_ROUNDS && isReady(to); round++) {
            long wanted = Math.min(most - moved, PIPE_BYTES);
            long waiting = filled(through, in, wanted);
            more = waiting == wanted && moved + waiting < most;
            if (waiting > 0) {
                moved += waiting;
                pass(through, waiting, out, to);
            }
        }
        stats.spliced(moved);
        return moved;
    }

    /** Nothing may overtake what was written, flushed or not. */
    private static boolean isReady(Channel channel) {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return channel.isActive() && unsent != null && unsent.totalPendingWriteBytes() == 0;
    }

    /** A broken connection is met again by its channel, which knows what to do. */
    private static int filled(KernelPipe through, FileDescriptor in, long most) {
        try {
            return through.fill(in, most);
        } catch (IOException e) {
            return 0;
        }
    }

    private static int drained(KernelPipe through, FileDescriptor out, long most) {
        try {
            return through.drain(out, most);
        } catch (IOException e) {
            return 0;
        }
    }

    private void pass(KernelPipe through, long waiting, FileDescriptor out, Channel to) {
        long left = waiting;
        while (left > 0) {
            long sent = drained(through, out, left);
            if (sent <= 0) {
                to.write(taken(through, (int) left, to), to.voidPromise());
                return;
            }
            left -= sent;
        }
    }

    /** What could not be taken out of the pipe must not come out of it for somebody else. */
    private ByteBuf taken(KernelPipe through, int bytes, Channel to) {
        try {
            return through.take(bytes, to.alloc());
        } catch (IOException e) {
            closePipe();
            throw new UncheckedIOException(e);
        } catch (RuntimeException | Error e) {
            closePipe();
            throw e;
        }
    }

    private @Nullable KernelPipe pipe() {
        if (pipe == null && !impossible) {
            try {
                pipe = KernelPipe.open(PIPE_BYTES);
            } catch (IOException e) {
                impossible = true;
            }
        }
        return pipe;
    }

    /** Gives the pipe back. */
    void close() {
        impossible = true;
        closePipe();
    }

    private void closePipe() {
        KernelPipe open = pipe;
        pipe = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
