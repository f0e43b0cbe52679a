// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.sim.SimDirectory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The file table as the log in a simulated directory has it: what the loss of all nodes leaves of it. */
public final class DurableTable {
    private final TableMachine machine = new TableMachine(SimTable.MAX_INODES);
    private final List<Runnable> listeners = new ArrayList<>();
    private long position;

    /** @param directory empty until now */
    public DurableTable(SimDirectory directory) {
        directory.observe(operations -> operations.forEach(this::applied));
    }

    public TableState state() {
        return machine.state();
    }

    /** Calls back when the state has changed. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    private void applied(Operation operation) {
        // What is made again behind a snapshot, by a commit that was given up, is of no account.
        if (operation instanceof Operation.Create batch && batch.path().equals(TablePaths.batch(position + 1))) {
            position++;
            new String(batch.data(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> Json.read(line.getBytes(StandardCharsets.UTF_8), LogEntry.class))
                    .forEach(machine::apply);
            listeners.forEach(Runnable::run);
        }
    }
}
