// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;
import java.nio.charset.StandardCharsets;

/** A connection without a socket, whose bytes a test carries. */
final class LoopChannel extends EmbeddedChannel implements DuplexChannel {
    private boolean outputShut;

    /** What was sent since this was asked last. */
    String sent() {
        var text = new StringBuilder();
        for (ByteBuf bytes = readOutbound(); bytes != null; bytes = readOutbound()) {
            text.append(bytes.toString(StandardCharsets.ISO_8859_1));
            bytes.release();
        }
        return text.toString();
    }

    /** Whether the other side would see that nothing comes any more. */
    boolean isEnded() {
        return outputShut || !isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return false;
    }

    @Override
    public ChannelFuture shutdownInput() {
        return newSucceededFuture();
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        return promise.setSuccess();
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShut;
    }

    @Override
    public ChannelFuture shutdownOutput() {
        outputShut = true;
        return newSucceededFuture();
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        outputShut = true;
        return promise.setSuccess();
    }

    @Override
    public boolean isShutdown() {
        return outputShut;
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdownOutput();
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        return shutdownOutput(promise);
    }
}
