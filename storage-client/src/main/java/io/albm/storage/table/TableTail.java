// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The end of the table's log as a storage node holds it in memory for the leader: the entries of one epoch from the durable
 * ones on, without a gap. With it an answer survives the leader although ZooKeeper has not written it yet
 * (docs/decisions/026-names-safe-in-memory.md).
 *
 * <p>A tail that was {@linkplain #collect collected} for an epoch takes nothing of lower ones any more, so that a leader that
 * was replaced without knowing gets nobody to hold what its successor has not read. A process that starts does not know what
 * it has promised before; it takes nothing until it is {@linkplain #open told} the epoch.
 *
 * <p>Thread-safe, never blocks. Memory: {@link #MAX_BYTES} of entries.
 */
public final class TableTail {
    /** More than a leader has that is not durable: a batch under way, and one that forms. */
    static final int MAX_BYTES = 4 << 20;

    private final ArrayDeque<byte[]> entries = new ArrayDeque<>();
    private boolean open;
    private long promised;
    private long epoch;
    private long durable;
    private long bytes;

    /**
     * Begins to take entries.
     *
     * @param current the epoch of the election, as of after the start of this process
     */
    synchronized void open(long current) {
        promised = Math.max(promised, current);
        open = true;
    }

    /**
     * Takes entries that follow what is held, and forgets those that are durable. The first append of an epoch takes the place
     * of all before it: its leader has made durable what it found.
     *
     * @throws WireException {@link WireCode#BUSY} if it has not been opened, or would hold too much
     */
    synchronized Held append(TailAppend append) {
        if (!open) {
            throw new WireException(WireCode.BUSY, "the epoch of the file table is not known here yet");
        }
        if (append.epoch() >= promised) {
            promised = append.epoch();
            begin(append.epoch());
            forget(append.durable());
            add(append);
        }
        return new Held(promised, append.epoch() == epoch ? last() : 0);
    }

    private void begin(long now) {
        if (epoch != now) {
            epoch = now;
            entries.clear();
            bytes = 0;
            durable = 0;
        }
    }

    private void forget(long nowDurable) {
        while (durable < nowDurable && !entries.isEmpty()) {
            bytes -= entries.remove().length;
            durable++;
        }
        durable = Math.max(durable, nowDurable);
    }

    private void add(TailAppend append) {
        long known = last() + 1 - append.first();
        if (known < 0) {
            return;
        }
        List<byte[]> more = append.entries();
        for (byte[] entry : more.subList((int) Math.min(known, more.size()), more.size())) {
            if (bytes + entry.length > MAX_BYTES) {
                throw new WireException(
                        WireCode.BUSY, "more than " + MAX_BYTES + " bytes of the log that are not durable");
            }
            entries.add(entry);
            bytes += entry.length;
        }
    }

    private long last() {
        return durable + entries.size();
    }

    /**
     * Gives what is held to the leader of a new epoch.
     *
     * @throws WireException {@link WireCode#REFUSED} if a higher epoch is known
     */
    synchronized Tail collect(long newEpoch) {
        if (newEpoch < promised) {
            throw new WireException(
                    WireCode.REFUSED, "epoch " + newEpoch + " of the file table is over: " + promised + " has begun");
        }
        promised = newEpoch;
        return new Tail(epoch, durable + 1, List.copyOf(entries));
    }
}
