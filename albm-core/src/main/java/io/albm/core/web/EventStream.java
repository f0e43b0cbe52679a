// SPDX-License-Identifier: Apache-2.0
package io.albm.core.web;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A value that pages follow live, as server-sent events. A new page gets the last value at once, then each new one.
 *
 * <p>Two bounds: pages beyond {@code maxFollowers} are turned away with status 503, and a page whose connection has more
 * unsent bytes than its socket takes (64 KiB) when the next value comes is dropped; browsers come back by themselves and
 * then get the newest. So a slow page costs one buffer, never a queue. Thread-safe.
 */
public final class EventStream implements AutoCloseable {

    private final int maxFollowers;
    private final ChannelGroup followers = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private @Nullable String last;

    /** @param maxFollowers pages that may follow at once, at least 1 */
    public EventStream(int maxFollowers) {
        this.maxFollowers = maxFollowers;
    }

    /** Sends a value to every follower and keeps it for later ones; the text must not contain a line break. */
    public synchronized void publish(String data) {
        last = data;
        followers.forEach(follower -> send(follower, event(data)));
    }

    /** How many pages follow now. */
    public int followers() {
        return followers.size();
    }

    /** Drops every follower. */
    @Override
    public void close() {
        followers.close();
    }

    boolean hasRoom() {
        return followers.size() < maxFollowers;
    }

    synchronized void add(Channel follower) {
        followers.add(follower);
        if (last != null) {
            send(follower, event(last));
        }
    }

    private static void send(Channel follower, String text) {
        if (follower.isWritable()) {
            ByteBuf bytes = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
            follower.writeAndFlush(new DefaultHttpContent(bytes)).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        } else {
            follower.close();
        }
    }

    private static String event(String data) {
        return "data: " + data + "\n\n";
    }
}
