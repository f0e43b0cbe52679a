// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Refusal;
import io.albm.core.http.ResponseHead;
import io.albm.core.http.Trailers;
import io.albm.core.net.WatchdogQueue;
import io.albm.distributor.http.Client;
import io.albm.distributor.stats.Traffic;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The client's side of one {@link Exchange}: where its response goes, and how its body is slowed down. An HTTP/1.1
 * connection is one for each of its requests in turn. All on the client's event loop.
 *
 * <p>A response is {@link #respond}, any number of {@link #body}, perhaps {@link #trailers}, and {@link #finish} or
 * {@link #cut}; or one {@link #answer}. Nothing is sent before {@link #flush} or the end.
 */
interface ClientStream {
    /** Whom the request comes from. */
    Client client();

    /** What goes through the frontend where it came in. */
    Traffic traffic();

    /** Whether chunked bodies go to this client as they come; otherwise it gets their data alone. */
    boolean takesChunks();

    /** Passes an interim answer (1xx) on at once, if the client can read it. */
    void interim(ResponseHead head);

    /** Whether this client can go on in another protocol. */
    default boolean canSwitchProtocols() {
        return false;
    }

    /**
     * Passes on that the backend switches protocols, and leaves the connection to a tunnel.
     *
     * @param successor gets all bytes that come from now on
     */
    default void switchProtocols(ResponseHead head, TunnelEnd successor) {
        throw new UnsupportedOperationException("this client cannot switch protocols");
    }

    /** Begins the response. The head stays the caller's. */
    void respond(ResponseHead head);

    /** Goes on with the body; takes over the buffer. */
    void body(ByteBuf bytes);

    /** What stands behind a body that came without chunks. The trailers stay the caller's. A client of HTTP/1.0 has no place for them. */
    default void trailers(Trailers trailers) {}

    /**
     * Where bytes of a body of known length may go past {@link #body} now; null
     * if they may not. They overtake nothing that was handed over before.
     */
    default @Nullable Channel shortcut() {
        return null;
    }

    void flush();

    /** The response is whole. */
    void finish();

    /** Ends the response early, in a way that the client can tell from its end. */
    void cut();

    /** Answers in place of a backend. */
    void answer(Refusal refusal);

    /** Answers what cannot be taken as a request, or not in full. */
    void refuse(Refusal refusal);

    boolean isWritable();

    /**
     * The client takes nothing for now: it has the idle timeout to change that, which {@link Exchange#clientWritable} tells.
     *
     * @param stalled with those for whom the same pool's backends wait
     */
    void awaitWritable(WatchdogQueue stalled);

    /** Hands over no more of the request's body until {@link #resumeReading}. */
    void pauseReading();

    void resumeReading();
}
