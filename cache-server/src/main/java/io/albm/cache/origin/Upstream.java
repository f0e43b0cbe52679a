// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.http.ResponseHead;
import io.netty.buffer.ByteBuf;

/** Who asked the origin for something. Called on the event loop; after an end or a failure, never again. */
interface Upstream {

    /** A connection is there, and only this request's: its head may be sent. */
    void ready(UpstreamConnection connection);

    /** An interim response (1xx). The head is the connection's again after this call. */
    default void interim(ResponseHead head) {}

    /** The final response begins. The head is the connection's again after this call. */
    void head(ResponseHead head);

    /** Some bytes of its body, without the framing; they belong to the receiver. */
    void bytes(ByteBuf bytes);

    /** It is whole. */
    void end();

    /** It will not be whole. */
    void failed(UpstreamFailure failure);

    /** The connection takes more of the request's body. */
    default void writable() {}

    /** Whether the request may be sent again if the connection turns out to be dead before a byte of the response came. */
    boolean mayRepeat();
}
