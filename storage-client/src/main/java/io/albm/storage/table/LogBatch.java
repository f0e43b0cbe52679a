// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What becomes durable in one step: lines of the log, and what may be answered then. */
final class LogBatch {
    /** Of one line: two of them fit where one more is taken up to half of the bound. */
    static final int MAX_LINE_BYTES = 256 * 1024;

    private static final int MAX_ENTRIES = 1000;
    private static final int FULL_BYTES = 256 * 1024;

    private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private final List<Promise> promises = new ArrayList<>();
    private int entries;

    private record Promise(CompletableFuture<TableReply> reply, TableReply value) {}

    boolean isEmpty() {
        return entries == 0;
    }

    /** Whether the next line belongs to another batch; so a batch has at most 512 KiB. */
    boolean isFull() {
        return entries >= MAX_ENTRIES || lines.size() >= FULL_BYTES;
    }

    void add(byte[] line) {
        lines.writeBytes(line);
        lines.write('\n');
        entries++;
    }

    /** Answers once the batch is durable. */
    void promise(CompletableFuture<TableReply> reply, TableReply value) {
        promises.add(new Promise(reply, value));
    }

    byte[] bytes() {
        return lines.toByteArray();
    }

    void keepPromises() {
        promises.forEach(promise -> promise.reply().complete(promise.value()));
    }
}
