// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Segment;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;

/**
 * How much of a table fits the heap of a node that leads it. What goes beyond is refused before it is in the log: replayed, a log
 * must give the same table whatever heap a node has, and it does, for nothing in it is refused for this reason. A leader with
 * less heap than the one before takes over what there is, and refuses more; what makes the table no larger it never refuses.
 *
 * @param inodes files, directories and links, with the numbers that are set aside; at most {@link #MOST_INODES}
 * @param inlineBytes of the files in the table, with the room that is set aside; at most {@link Segments#MOST_INLINE_BYTES}
 */
record TableBounds(long inodes, long inlineBytes) {
    /** Of any table. The same on every node, since each applies the same log. */
    static final long MOST_INODES = 1_000_000;

    /**
     * An inode takes some 400 bytes, and a snapshot of it some more for a while. The serial collector, which has the least use of
     * its heap, keeps what lasts in two thirds of it.
     */
    private static final long HEAP_PER_INODE = 1024;

    /** One part in so many of the heap is for files. */
    private static final int INLINE_SHARES = 16;

    TableBounds {
        inodes = Math.min(inodes, MOST_INODES);
        inlineBytes = Math.min(inlineBytes, Segments.MOST_INLINE_BYTES);
    }

    /** @param bytes that the heap may grow to */
    static TableBounds ofHeap(long bytes) {
        return new TableBounds(bytes / HEAP_PER_INODE, bytes / INLINE_SHARES);
    }

    /**
     * What is to be done of a change; less is set aside if there is less room.
     *
     * @throws TableRefusal if it does not fit
     */
    TableCommand<?> admitted(String client, TableCommand<?> command, TableState state) {
        long more = state.growth(client, command);
        if (more > 0 && state.inodes() + more > inodes) {
            throw new TableRefusal(
                    Reason.FULL,
                    "the file table may hold " + inodes
                            + " files and directories with the heap of the node that leads it;"
                            + " remove some, or give storage nodes more heap");
        }
        long room = Math.max(0, inlineBytes - state.inlineBytes());
        return switch (command) {
            case TableCommand.Reserve reserve ->
                new TableCommand.Reserve(reserve.count(), Math.min(reserve.bytes(), room / Reservations.SHARES));
            case TableCommand.Publish publish -> fitting(publish, publish.segment(), room);
            case TableCommand.Change change
            when change.segment() != null && !change.isAside() -> fitting(change, change.segment(), room);
            default -> command;
        };
    }

    private static TableCommand<?> fitting(TableCommand<?> command, Segment segment, long room) {
        if (segment.inlineBytes() > room) {
            throw new TableRefusal(Reason.NO_ROOM, "the file table has room for " + room + " more bytes of files");
        }
        return command;
    }
}
