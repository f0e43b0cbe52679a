// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.sim.FaultPlan;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.FileTable;
import io.albm.storage.StripedFiles;
import io.albm.storage.table.DurableTable;
import io.albm.storage.table.SimTable;
import io.albm.storage.table.TableState;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The file table as it is in production, led by one of the I/O nodes: clients are answered early, and sync or not. */
final class LedTable implements WorldTable {
    private final Simulation simulation;
    private final boolean isSynced;
    private final SimTable table;
    private final DurableTable durable;
    private final Set<SimNode> stopped = new HashSet<>();

    /**
     * @param processes of the I/O nodes
     * @param isSynced whether clients sync what they do: then all nodes may be lost at once, else one, and the next one when what
     *     it held is elsewhere again
     */
    LedTable(Simulation simulation, SimDirectory directory, List<SimNode> processes, boolean isSynced) {
        this.simulation = simulation;
        this.isSynced = isSynced;
        this.durable = new DurableTable(directory);
        this.table = new SimTable(simulation, directory, processes, SimTable.LEASE);
        processes.forEach(process -> process.onChange(() -> renew(process)));
    }

    /** A process whose session is over needs a new one; until then it does not know. */
    private void renew(SimNode process) {
        if (process.isUp() && !process.isResponsive()) {
            stopped.add(process);
        } else if (process.isResponsive() && stopped.remove(process)) {
            simulation.schedule(simulation.between(Duration.ZERO, Duration.ofMillis(500)), "session?", () -> {
                if (process.isResponsive() && !table.isMember(process)) {
                    process.crash();
                }
            });
        }
    }

    @Override
    public FileTable of(SimNode process, CoordinationStore session) {
        return table.client(process, session);
    }

    @Override
    public TableState state() {
        return durable.state();
    }

    @Override
    public void onChange(Runnable listener) {
        durable.onChange(listener);
    }

    @Override
    public StripedFiles forClients(StripedFiles files) {
        return files.early();
    }

    @Override
    public CompletableFuture<Void> rely(StripedFiles files) {
        return isSynced ? files.table().sync() : CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean isLasting() {
        return false;
    }

    @Override
    public void addFaults(FaultPlan plan, SimIoFaults faults) {
        if (isSynced) {
            faults.addAbsences(plan);
        } else {
            plan.add(12, "an I/O node is lost", () -> loseOne(faults));
        }
        plan.add(2, "table messages get lost", this::loseMessages);
    }

    /** After a moment in which what was sent before it was there can get to it. */
    private void loseOne(SimIoFaults faults) {
        if (table.isWhole()) {
            simulation.schedule(Duration.ofSeconds(1), "still whole?", () -> {
                if (table.isWhole() && faults.mayLoseOne()) {
                    faults.loseOne();
                }
            });
        }
    }

    private void loseMessages() {
        table.lose(0.05);
        simulation.schedule(Duration.ofSeconds(2), "table messages arrive", () -> table.lose(0));
    }

    @Override
    public void endFaults() {
        table.lose(0);
    }

    @Override
    public boolean isServed() {
        return table.isWhole();
    }
}
