// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Continues the log with what the tails of the nodes have of it, and begins the new leader's term: both are durable before it
 * serves.
 *
 * <p>The tails that count are those of the leader whose {@link LogEntry.Term} is the last in the log. Each has some of its
 * entries from the durable ones on without a gap, so the longest has what all others have. A tail of a lower epoch is of a
 * leader whose successor has chosen already what is left of it; one of a higher epoch cannot be, since a leader sends none
 * before its term is in the log.
 */
final class TailRecovery {
    private static final Logger log = LoggerFactory.getLogger(TailRecovery.class);

    private final TableLog tableLog;
    private final long epoch;

    TailRecovery(TableLog tableLog, long epoch) {
        this.tableLog = tableLog;
        this.epoch = epoch;
    }

    CompletableFuture<TableRecovery.Recovered> complete(TableRecovery.Recovered durable, List<Tail> tails) {
        TableMachine machine = durable.machine();
        List<byte[]> entries = continuation(machine, tails);
        if (!entries.isEmpty()) {
            log.info("{} entries of epoch {} were not durable and are found", entries.size(), machine.term());
        }
        entries.forEach(entry -> machine.apply(read(entry)));
        LogEntry.Term term = new LogEntry.Term(epoch);
        machine.apply(term);
        List<byte[]> all = new ArrayList<>(entries);
        all.add(Json.bytes(term));
        return append(durable, batches(all));
    }

    private static List<byte[]> continuation(TableMachine machine, List<Tail> tails) {
        long next = machine.entries() + 1;
        return tails.stream()
                .filter(tail -> tail.epoch() == machine.term() && tail.first() <= next && tail.last() >= next)
                .max(Comparator.comparingLong(Tail::last))
                .map(tail -> tail.entries()
                        .subList((int) (next - tail.first()), tail.entries().size()))
                .orElse(List.of());
    }

    private static LogEntry read(byte[] entry) {
        try {
            return Json.read(entry, LogEntry.class);
        } catch (JsonException e) {
            throw new IllegalStateException("an entry of the table's log that a node held cannot be read", e);
        }
    }

    private static List<byte[]> batches(List<byte[]> entries) {
        List<byte[]> batches = new ArrayList<>();
        LogBatch batch = new LogBatch();
        for (byte[] entry : entries) {
            if (batch.isFull()) {
                batches.add(batch.bytes());
                batch = new LogBatch();
            }
            batch.add(entry);
        }
        batches.add(batch.bytes());
        return batches;
    }

    private CompletableFuture<TableRecovery.Recovered> append(TableRecovery.Recovered so, List<byte[]> batches) {
        if (batches.isEmpty()) {
            return CompletableFuture.completedFuture(so);
        }
        byte[] batch = batches.getFirst();
        return tableLog.append(so.position() + 1, batch)
                .thenCompose(nothing -> append(so.extendedBy(batch), batches.subList(1, batches.size())));
    }
}
