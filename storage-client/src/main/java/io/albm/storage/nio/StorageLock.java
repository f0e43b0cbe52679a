// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.LockRange;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLock;

/** A lock on a part of a file that is open, until it is released or the channel is closed. Thread-safe. */
final class StorageLock extends FileLock {
    private final StorageChannel channel;
    private boolean released;

    /** @param length 0 for all from the start on */
    StorageLock(StorageChannel channel, long from, long length, boolean shared) {
        super(channel, from, length == 0 ? Long.MAX_VALUE - Math.max(0, from) : length, shared);
        this.channel = channel;
    }

    LockRange range() {
        long behind = position() + size();
        return new LockRange(position(), behind == Long.MAX_VALUE ? behind : behind - 1);
    }

    @Override
    public synchronized boolean isValid() {
        return !released && channel.isOpen();
    }

    /** Stores what was written, which whoever has the lock next then sees. */
    @Override
    public synchronized void release() throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        if (!released) {
            channel.release(this);
            released = true;
        }
    }
}
