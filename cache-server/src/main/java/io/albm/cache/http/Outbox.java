// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.HeadWriter;
import io.albm.core.net.SendProgress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.netty.channel.FileRegion;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What leaves a connection. Heads and small bodies of one event are copied one behind the other into one buffer, and leave
 * in one system call however many requests they answer; a larger body goes out from where it is, beside the head.
 *
 * <p>Copying {@value #COPIED_BYTES} bytes costs less than what it saves: a second entry in Netty's queue, a promise to
 * release the document with, and a gathering write. Confined to its event loop.
 */
final class Outbox {
    private static final int COPIED_BYTES = 8 << 10;

    private final DuplexChannel channel;
    private final @Nullable Socket socket;
    private final SendProgress progress;
    private final LoopContext loop;
    private @Nullable ByteBuf gathered;
    private boolean dirty;
    private boolean queued;

    Outbox(LoopContext loop, Channel channel) {
        this.loop = loop;
        this.channel = (DuplexChannel) channel;
        socket = channel instanceof UnixChannel unix && unix.fd() instanceof Socket its ? its : null;
        progress = new SendProgress(channel);
    }

    /** Whether the client has taken all, as far as its socket takes it. */
    boolean isDone() {
        queued = queued && (dirty || !progress.isDone());
        return !queued;
    }

    /** How the client takes it. */
    SendProgress progress() {
        return progress;
    }

    void bytes(HeadWriter head) {
        head.appendTo(room(head.length()));
    }

    void bytes(byte[] bytes) {
        room(bytes.length).writeBytes(bytes);
    }

    private ByteBuf room(int bytes) {
        ByteBuf open = gathered;
        if (open == null || open.writableBytes() < bytes) {
            seal();
            open = loop.buffers().room(bytes);
            gathered = open;
        }
        return open;
    }

    /**
     * Sends a part of memory.
     *
     * @return whether its owner is kept, to be released when it was sent; if not, or if this throws, the caller still has it
     */
    boolean part(ByteBuf memory, int from, int length, ReferenceCounted owner) {
        if (length <= COPIED_BYTES) {
            room(length).writeBytes(memory, from, length);
            return false;
        }
        seal();
        send(memory, from, length, owner);
        return true;
    }

    /** What can fail comes before the channel's write, which sees to the piece and the promise whatever happens. */
    @SuppressWarnings("ReferenceEquality") // memory that owns itself is nobody else's
    private void send(ByteBuf memory, int from, int length, ReferenceCounted owner) {
        if (owner == memory) {
            write(memory.setIndex(from, from + length));
        } else {
            ByteBuf lent = Unpooled.unreleasableBuffer(memory.slice(from, length));
            ChannelPromise sent = channel.newPromise();
            sent.addListener(_ -> owner.release());
            queue();
            channel.write(lent, sent);
        }
    }

    /**
     * A piece that sends memory by its pages.
     *
     * @return null if that cannot be done here
     */
    @Nullable
    FileRegion pages(ByteBuf memory, int from, int length, ReferenceCounted owner) {
        return channel instanceof UnixChannel socket && loop.pages().works()
                ? new PageRegion(loop.pages(), socket.fd(), address(memory, from, length), length, owner)
                : null;
    }

    static long address(ByteBuf memory, int from, int length) {
        return memory.hasMemoryAddress()
                ? memory.memoryAddress() + from
                : MemorySegment.ofBuffer(memory.nioBuffer(from, length)).address();
    }

    /** Sends a part of a file, and says that it is kept; if this throws it is not. */
    boolean region(FileRegion region) {
        seal();
        write(region);
        return true;
    }

    private void seal() {
        ByteBuf full = gathered;
        if (full != null) {
            gathered = null;
            write(full);
        }
    }

    private void write(ReferenceCounted piece) {
        queue();
        channel.write(piece, channel.voidPromise());
    }

    private void queue() {
        dirty = true;
        queued = true;
    }

    /** What one event has gathered most often fits into the socket. It needs no place in the channel's queue then. */
    private void sendGathered() {
        ByteBuf all = gathered;
        if (all != null && socket != null && isDone()) {
            all.skipBytes(sent(socket, all));
            gathered = null;
            if (all.isReadable()) {
                write(all);
            } else {
                loop.buffers().giveBack(all);
            }
        }
    }

    /** An error is met again by the channel, which knows what to do with it. */
    private static int sent(Socket socket, ByteBuf bytes) {
        try {
            return socket.isOpen()
                    ? socket.sendAddress(
                            address(bytes, bytes.readerIndex(), bytes.readableBytes()), 0, bytes.readableBytes())
                    : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    void flush() {
        sendGathered();
        seal();
        if (dirty) {
            dirty = false;
            channel.flush();
        }
    }

    /** Forgets what was not sent. */
    void discard() {
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
    }
}
