// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.ResponseHead;
import io.albm.core.http.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * What the borrower of an {@link UpstreamConnection} hears of its response, on the event loop of both. After {@link #lost}
 * or after giving the connection back it hears nothing more.
 */
interface Borrower {
    /** An answer before the real one; the head stays the connection's. */
    void interimHead(ResponseHead head);

    /** The borrower owns the head from now on. */
    void responseHead(ResponseHead head);

    /** The borrower owns the buffer from now on. */
    void responseBody(ByteBuf bytes);

    /** What stands behind the body, if the borrower gets it without chunks; the trailers stay the connection's. */
    void responseTrailers(Trailers trailers);

    /** Where bytes of the body may go past this process now; null if they may not. */
    @Nullable
    Channel shortcut();

    /** So many bytes of the body went there. */
    void responseMoved(long bytes);

    /** The response is whole. */
    void responseEnd();

    /** All that could be read at once was handed over. */
    void responsePaused();

    /** The backend takes bytes again. */
    void upstreamWritable();

    /** The connection is no more. */
    void lost(String reason);

    /** The backend had the request for long and sent nothing. */
    void timedOut();
}
