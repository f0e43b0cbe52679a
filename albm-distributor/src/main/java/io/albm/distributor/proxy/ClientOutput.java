// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Chunks;
import io.albm.core.http.Framing;
import io.albm.core.http.Refusal;
import io.albm.core.http.ResponseHead;
import io.albm.core.net.SendProgress;
import io.albm.distributor.http.LocalAnswer;
import io.albm.distributor.http.ResponseForwarder.Ending;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is said to a client of HTTP/1.1 or 1.0, and how its body is framed. Confined to its event loop.
 *
 * <p>A head waits for the first bytes of its body: few of them are copied behind it into the same buffer, more go out
 * beside it in the same system call.
 */
final class ClientOutput {
    private static final int COPIED_BYTES = 512;
    private static final int LINGER_SECONDS = 2;

    private final Worker worker;
    private final DuplexChannel channel;
    private final Traffic traffic;
    private final Chunks chunks = new Chunks();
    private final SendProgress progress;
    private boolean http11;
    private boolean answersHead;
    private boolean chunking;
    private boolean untilClose;
    private @Nullable ByteBuf waitingHead;

    /** @param traffic of the frontend */
    ClientOutput(Worker worker, DuplexChannel channel, Traffic traffic) {
        this.worker = worker;
        this.traffic = traffic;
        this.channel = channel;
        this.progress = new SendProgress(channel);
    }

    /** A request is about to be answered. */
    void begin(boolean isHttp11, boolean toHead) {
        http11 = isHttp11;
        answersHead = toHead;
        chunking = false;
        untilClose = false;
    }

    /** Whether the request is of HTTP/1.1, so that chunks and interim answers may be sent. */
    boolean isHttp11() {
        return http11;
    }

    void interim(ResponseHead head) {
        write(worker.responses().write(head, false, Ending.STAYS, channel.alloc(), 0));
        channel.flush();
    }

    /** Writes the head after which the connection is a tunnel. */
    void switchProtocols(ResponseHead head) {
        write(worker.responses().write(head, false, Ending.SWITCHES, channel.alloc(), 0));
    }

    /** Whether the end of that response's body can be seen only by the end of the connection. */
    boolean lastsUntilClose(ResponseHead head) {
        return !http11 && (head.framing() == Framing.UNTIL_CLOSE || head.framing() == Framing.CHUNKED);
    }

    /** Begins a response. */
    void head(ResponseHead head, boolean keepAlive) {
        untilClose = lastsUntilClose(head);
        chunking = http11 && head.framing() == Framing.UNTIL_CLOSE;
        chunks.reset();
        boolean inChunks = chunking || (http11 && head.framing() == Framing.CHUNKED);
        int slack = head.framing() == Framing.NONE ? 0 : COPIED_BYTES;
        waitingHead = worker.responses().write(head, inChunks, ending(keepAlive), channel.alloc(), slack);
    }

    private Ending ending(boolean keepAlive) {
        if (!keepAlive) {
            return Ending.CLOSES;
        }
        return http11 ? Ending.STAYS : Ending.STAYS_AS_AGREED;
    }

    /** Goes on with the body; takes over the buffer. */
    void body(ByteBuf bytes) {
        if (!bytes.isReadable()) {
            bytes.release();
            return;
        }
        if (chunking) {
            ByteBuf line = chunks.line(bytes.readableBytes(), channel.alloc());
            releaseHead();
            write(line);
        }
        ByteBuf head = waitingHead;
        if (head != null && bytes.readableBytes() <= head.writableBytes()) {
            head.writeBytes(bytes);
            bytes.release();
        } else {
            releaseHead();
            write(bytes);
        }
    }

    /** Ends a whole response and sends all of it. */
    void end() {
        if (chunking) {
            releaseHead();
            write(chunks.last());
        }
        flush();
    }

    void answer(Refusal refusal, boolean keepAlive) {
        write(LocalAnswer.of(refusal, ending(keepAlive), !answersHead, channel.alloc()));
        channel.flush();
    }

    void flush() {
        releaseHead();
        channel.flush();
    }

    /** Whether a head waits for its body. */
    boolean holdsHead() {
        return waitingHead != null;
    }

    private void releaseHead() {
        ByteBuf head = waitingHead;
        if (head != null) {
            waitingHead = null;
            write(head);
        }
    }

    private void write(ByteBuf bytes) {
        traffic.add(Count.BYTES_OUT, bytes.readableBytes());
        channel.write(bytes, channel.voidPromise());
    }

    boolean isUntilClose() {
        return untilClose;
    }

    /** How the client takes it. */
    SendProgress progress() {
        return progress;
    }

    /** Runs that after all that was said is sent, in a later event. */
    void whenSent(Runnable next) {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> worker.execute(next));
    }

    /** Closes after all that was said is sent. */
    void closeWhenSent() {
        if (progress.isDone()) {
            channel.close();
        } else {
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Closes our side after all that was said is sent, and the other one a while later. */
    void closeInTwoSteps() {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> {
            channel.shutdownOutput();
            var _ = channel.eventLoop().schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
        });
    }

    /** Forgets what was not sent. */
    void discard() {
        if (waitingHead != null) {
            waitingHead.release();
            waitingHead = null;
        }
    }
}
