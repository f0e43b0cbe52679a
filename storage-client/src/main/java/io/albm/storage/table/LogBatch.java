// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.io.ByteArrayOutputStream;

/** Lines of the log that become durable in one step. */
final class LogBatch {
    /** Of one line. */
    static final int MAX_LINE_BYTES = 256 * 1024;

    private static final int MAX_ENTRIES = 1000;
    /** Small, since ZooKeeper keeps its last 500 transactions in memory, whatever it is told. */
    private static final int FULL_BYTES = 64 * 1024;

    /** The changes of one call go together up to this, since each transaction takes its time. */
    private static final int FULL_BYTES_OF_CALL = 256 * 1024;

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private int entries;

    boolean isEmpty() {
        return entries == 0;
    }

    /** Whether the next line belongs to another batch, unless one call brings it with others. */
    boolean isFull() {
        return entries >= MAX_ENTRIES || lines.size() >= FULL_BYTES;
    }

    /** Whether the next line does in any case; so a batch has little more than 512 KiB, which fit into a transaction. */
    boolean isFullForCall() {
        return lines.size() >= FULL_BYTES_OF_CALL;
    }

    void add(byte[] line) {
        lines.writeBytes(line);
        lines.write('\n');
        entries++;
    }

    byte[] bytes() {
        return lines.toByteArray();
    }
}
