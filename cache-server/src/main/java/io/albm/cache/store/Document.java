// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.netty.buffer.ByteBuf;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;

/**
 * A whole document in main memory. The store holds one reference while it is resident and every response under way
 * holds one, so eviction takes it out of the index at once and never takes bytes from a response.
 */
public final class Document extends AbstractReferenceCounted {

    private final Identity identity;
    private final ByteBuf content;
    private final MemoryLedger ledger;

    /** Which account its bytes are in; guarded by the ledger. */
    boolean resident;

    /** Takes over {@code content}, whose bytes are entered in {@code ledger} as in transit. */
    public Document(Identity identity, ByteBuf content, MemoryLedger ledger) {
        this.identity = identity;
        this.content = content;
        this.ledger = ledger;
    }

    public Identity identity() {
        return identity;
    }

    /** The bytes, read-only by convention. Valid while a reference is held; take a duplicate to write it. */
    public ByteBuf content() {
        return content;
    }

    long bytes() {
        return identity.bytes();
    }

    @Override
    protected void deallocate() {
        content.release();
        ledger.free(this);
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        content.touch(hint);
        return this;
    }
}
