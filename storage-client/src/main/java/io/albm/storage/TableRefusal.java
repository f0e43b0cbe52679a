// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/** Why the {@link FileTable} refuses a request, of which it did nothing then. */
public final class TableRefusal extends RuntimeException {
    /** In the terms of {@code errno}. */
    public enum Reason {
        NO_ENTRY,
        EXISTS,
        NOT_DIRECTORY,
        IS_DIRECTORY,
        NOT_EMPTY,
        /** A directory into itself, a name that cannot be. */
        INVALID,
        NAME_TOO_LONG,
        TOO_MANY_LINKS,
        NO_ATTRIBUTE,
        /** The inode is gone. */
        STALE,
        /** The table has all the inodes it may have. */
        FULL,
        /** The table has all the bytes of files it may have: they belong on nodes. */
        NO_ROOM,
        /** The file does not need the segment any more, or has other content than was expected. */
        CHANGED,
        /** The file would have more extents than it may: write it anew. */
        FRAGMENTED,
        /** The generation is not announced, or by another; of {@link TableCommand.Begin}: it is announced already. */
        NOT_ANNOUNCED,
        /** Another owner has a lock in the way. */
        LOCKED,
        /** There are as many locks as there may be. */
        NO_LOCKS,
        /** The locks that a change rests on have ended with their client's session. */
        LOCK_LOST,
        /** A higher epoch has been seen in the fence's scope. */
        FENCED,
        /** What was answered before it was durable is lost, with more nodes than hold it. */
        LOST
    }

    private final Reason reason;

    public TableRefusal(Reason reason, String message) {
        super(message, null, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
