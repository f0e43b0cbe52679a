// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.Framing;
import io.albm.core.http.Method;
import io.albm.core.http.RequestHead;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What goes out on a connection: the requests under way, in the order in which they came, and whose turn it is to write its
 * reply to the {@link Outbox}. At most {@link HttpSettings#pipelineDepth} are under way; requests that are neither GET nor
 * HEAD, or have a body, are under way alone. Confined to its event loop.
 */
final class Replies {
    private final LoopContext loop;
    private final Channel channel;
    private final Outbox outbox;
    private final ArrayDeque<Exchange> exchanges = new ArrayDeque<>(2);
    private @Nullable Exchange spare;
    private boolean alone;
    private boolean writable = true;
    private boolean passing;

    Replies(LoopContext loop, Channel channel, Outbox outbox) {
        this.loop = loop;
        this.channel = channel;
        this.outbox = outbox;
    }

    Outbox outbox() {
        return outbox;
    }

    boolean isEmpty() {
        return exchanges.isEmpty();
    }

    /** The request whose turn it is. */
    @Nullable
    Exchange first() {
        return exchanges.peek();
    }

    boolean isTurnOf(Exchange exchange) {
        return exchanges.peek() == exchange;
    }

    boolean isLast(Exchange exchange) {
        return exchanges.peekLast() == exchange;
    }

    /** Whether the client takes more now, as far as known since {@link #writabilityChanged}. */
    boolean isWritable() {
        return writable;
    }

    void writabilityChanged() {
        writable = channel.isWritable();
    }

    /** Whether there is room for one more request, and for what it is answered with. */
    boolean takesMore() {
        return exchanges.size() < loop.settings().pipelineDepth() && hasRoom();
    }

    private boolean hasRoom() {
        if (!writable) {
            outbox.flush();
        }
        return writable;
    }

    /** Whether a request may be under way beside those that are. */
    boolean mayBegin(RequestHead head) {
        return exchanges.isEmpty() || (!alone && isPlain(head));
    }

    private static boolean isPlain(RequestHead head) {
        return head.framing() == Framing.NONE && (head.method() == Method.GET || head.method() == Method.HEAD);
    }

    /** Adds a request behind those that are under way. */
    Exchange begin(RequestHead head, Connection connection) {
        alone = !isPlain(head);
        Exchange exchange = spare == null ? new Exchange(connection, this, loop) : spare;
        spare = null;
        exchange.start(head);
        exchanges.add(exchange);
        return exchange;
    }

    /** Nobody but the connection knows a request any more that its handler answered at once: it serves for another one. */
    void handled(Exchange exchange) {
        if (exchange.isOver()) {
            spare = exchange;
        }
    }

    /** Whether the turn is being passed on now: a reply that ends then is seen to by whoever does that. */
    boolean isPassingTurn() {
        return passing;
    }

    /**
     * Passes the turn on over all replies that have ended.
     *
     * @return whether the connection may stay after the last of them
     */
    boolean passTurn() {
        passing = true;
        try {
            return passTurns();
        } finally {
            passing = false;
        }
    }

    private boolean passTurns() {
        boolean stays = true;
        Exchange first = exchanges.peek();
        while (stays && first != null && first.isEnded()) {
            stays = first.keepsAlive();
            first = next(first, stays);
        }
        return stays;
    }

    private @Nullable Exchange next(Exchange done, boolean stays) {
        exchanges.remove();
        loop.heads().recycle(done.over());
        Exchange next = exchanges.peek();
        if (stays && next != null) {
            next.turn();
        }
        return next;
    }

    /** Lets the reply go on that waits for its client. */
    void resume() {
        Exchange current = exchanges.peek();
        if (current != null) {
            current.writable();
        }
    }

    /** Tells all that there is nobody any more to reply to. */
    void abandon() {
        for (Exchange exchange = exchanges.poll(); exchange != null; exchange = exchanges.poll()) {
            exchange.abandon();
        }
    }
}
