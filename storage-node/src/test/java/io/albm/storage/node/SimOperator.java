// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.SimNodeChanges;
import io.albm.storage.StripedFiles;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** Somebody who scrubs, sweeps, retires nodes and takes them back, from a process that may die in the middle of it. */
final class SimOperator {
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final SimFileWorld world;
    private final Simulation simulation;
    private final SimNode process;
    private final SimIoNodes nodes;
    private StripedFiles files;

    SimOperator(SimFileWorld world, SimNode process, SimIoNodes nodes) {
        this.world = world;
        this.simulation = world.simulation();
        this.process = process;
        this.nodes = nodes;
        this.files = world.connect(process);
        process.onChange(this::restartLater);
    }

    SimNode process() {
        return process;
    }

    void begin() {
        process.after(simulation.between(Duration.ZERO, PAUSE), "next work", () -> {
            if (!world.isEnding()) {
                work().whenComplete((done, failure) -> {
                    files = world.connect(process);
                    begin();
                });
            }
        });
    }

    private void restartLater() {
        if (!process.isUp()) {
            simulation.schedule(simulation.between(Duration.ZERO, PAUSE), "restart the operator", () -> {
                if (!process.isUp() && !world.isEnding()) {
                    process.restart();
                    files = world.connect(process);
                    begin();
                }
            });
        }
    }

    private CompletableFuture<?> work() {
        List<NodeId> all = nodes.nodes().stream().map(node -> node.id).toList();
        NodeId any = all.get(simulation.random().nextInt(all.size()));
        return switch (simulation.random().nextInt(6)) {
            case 0 -> files.scrub(new TreeSet<>(all), progress -> {});
            case 1 -> files.sweep(any);
            case 2 -> SimNodeChanges.fill(files, any);
            case 3 ->
                SimNodeChanges.replace(files, any, all.get(simulation.random().nextInt(all.size())));
            default -> retire(any);
        };
    }

    /** Moves what a node has to others; it gets new blocks again when that is done, or cannot be. */
    private CompletableFuture<?> retire(NodeId node) {
        nodes.retire(node, true);
        return SimNodeChanges.replace(files, node, null)
                .whenComplete((done, failure) -> nodes.retire(node, simulation.chance(0.5)));
    }
}
