// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/**
 * A lock on a part of a file, or what is asked for.
 *
 * @param exclusive whether no other owner may have a lock there; otherwise no exclusive one
 * @param pid the process that took it, for whoever asks what is in his way; nothing depends on it
 */
public record RangeLock(LockOwner owner, LockRange range, boolean exclusive, int pid) {
    public RangeLock {
        if (owner == null || range == null) {
            throw new IllegalArgumentException("a lock without owner or range");
        }
    }

    /** Whether two owners cannot have these at a time. */
    public boolean conflicts(RangeLock other) {
        return owner.kind() == other.owner.kind() && (exclusive || other.exclusive) && range.overlaps(other.range);
    }

    /** The same lock on another range. */
    public RangeLock on(LockRange other) {
        return new RangeLock(owner, other, exclusive, pid);
    }
}
