// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.netty.buffer.ByteBuf;

/** Takes the body of a request as it comes in, decoded from its chunks. Called on the exchange's event loop. */
public interface RequestBody {
    /** Some bytes of it, which belong to the receiver from now on. */
    void bytes(ByteBuf bytes);

    /** It is whole. */
    void end();
}
