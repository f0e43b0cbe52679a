// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.netty.buffer.ByteBuf;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import org.jspecify.annotations.Nullable;

/**
 * A whole document in main memory. The store holds one reference while it is resident and every response under way
 * holds one, so eviction takes it out of the index at once and never takes bytes from a response.
 */
public final class Document extends AbstractReferenceCounted {

    private final Identity identity;
    private final int headBytes;
    private final ByteBuf memory;
    private final @Nullable MemoryFile file;
    private final MemoryLedger ledger;

    /** Which account its bytes are in; guarded by the ledger. */
    boolean resident;

    /** Its place among all that were admitted, from 1; 0 before. Guarded by the lock of its set. */
    long admission;

    /** What was entered for it beside its own bytes while it is resident; guarded by the ledger. */
    long heapBytes;

    /**
     * Takes over {@code memory}, whose bytes are entered in {@code ledger} as in transit.
     *
     * @param headBytes how many bytes stand before the content, see {@link HeadEncoder}
     * @param memory the head, and behind it the content
     */
    public Document(Identity identity, int headBytes, ByteBuf memory, MemoryLedger ledger) {
        this(identity, headBytes, memory, null, ledger);
    }

    /**
     * Takes over {@code memory} and the file that it is, if it is one.
     */
    Document(Identity identity, int headBytes, ByteBuf memory, @Nullable MemoryFile file, MemoryLedger ledger) {
        this.file = file;
        this.identity = identity;
        this.headBytes = headBytes;
        this.memory = memory;
        this.ledger = ledger;
    }

    public Identity identity() {
        return identity;
    }

    /**
     * The head, and behind it the content; read-only by convention. Valid while a reference is held; take a duplicate or
     * a slice to write it.
     */
    public ByteBuf memory() {
        return memory;
    }

    /** Whether its bytes never change again, not even when the last reference is given up. */
    public boolean isLasting() {
        return file != null;
    }

    /** How many bytes stand before the content. */
    public int headBytes() {
        return headBytes;
    }

    /** The content alone: a view of {@link #memory}. */
    public ByteBuf content() {
        return memory.slice(headBytes, (int) identity.bytes());
    }

    /** Main memory that it takes itself. */
    public long bytes() {
        return headBytes + identity.bytes();
    }

    @Override
    protected void deallocate() {
        memory.release();
        if (file != null) {
            file.close();
        }
        ledger.free(this);
    }

    @Override
    public ReferenceCounted touch(Object hint) {
        memory.touch(hint);
        return this;
    }
}
