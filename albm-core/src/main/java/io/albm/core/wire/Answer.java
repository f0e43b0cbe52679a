// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.util.AbstractReferenceCounted;

/** A reply on its way to whoever asked. Owns one reference of the reply's buffers, so that a closed channel gives them back. */
final class Answer extends AbstractReferenceCounted {

    private final long requestId;
    private final Reply reply;

    Answer(long requestId, Reply reply) {
        this.requestId = requestId;
        this.reply = reply;
    }

    long requestId() {
        return requestId;
    }

    Reply reply() {
        return reply;
    }

    @Override
    protected void deallocate() {
        reply.header().release();
        reply.body().release();
    }

    @Override
    public Answer touch(Object hint) {
        reply.body().touch(hint);
        return this;
    }
}
