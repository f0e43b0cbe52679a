// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.sim.FaultPlan;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import java.time.Duration;
import java.util.List;

/**
 * What happens to I/O nodes, their disks and the network between. Any number of them may be away at a time. What is damaged
 * stays within the parity's tolerance: it is done only where all units but M - 1 of the same stripes are whole, and to M
 * disks at most while something is being written.
 */
final class SimIoFaults {
    private final Simulation simulation;
    private final SimIoNodes nodes;

    SimIoFaults(Simulation simulation, SimIoNodes nodes) {
        this.simulation = simulation;
        this.nodes = nodes;
    }

    /** Nodes go, and come back with what they had. */
    void addAbsences(FaultPlan plan) {
        plan.add(6, "an I/O node loses power", () -> anyNode().crashSoon())
                .add(1, "all I/O nodes lose power", () -> nodes.nodes().forEach(SimIoNode::crashSoon))
                .add(2, "an I/O node is killed", () -> anyNode().kill())
                .add(3, "stop an I/O node", () -> stop(anyNode()))
                .add(4, "cut an I/O node off a client", () -> cut(anyNode(), List.of(any(nodes.clients()))))
                .add(2, "cut an I/O node off all", () -> cut(anyNode(), nodes.clients()))
                .add(2, "block messages get lost", this::loseMessages)
                .add(1, "a disk is full", () -> fill(anyNode()));
    }

    /** What was there is not there any more. */
    void addDamage(FaultPlan plan) {
        plan.add(8, "a block rots", this::rot).add(2, "an I/O node gets an empty disk", () -> replaceDisk(anyNode()));
    }

    /** One node goes, and comes back. */
    void loseOne() {
        switch (simulation.random().nextInt(3)) {
            case 0 -> anyNode().crashSoon();
            case 1 -> anyNode().kill();
            default -> stop(anyNode());
        }
    }

    /** Whether one may go: nothing ends the faults, and none is going. */
    boolean mayLoseOne() {
        return !nodes.isCalm() && nodes.nodes().stream().noneMatch(SimIoNode::isDying);
    }

    private SimIoNode anyNode() {
        return any(nodes.nodes());
    }

    private <T> T any(List<T> all) {
        return all.get(simulation.random().nextInt(all.size()));
    }

    private void stop(SimIoNode node) {
        node.process.pause();
        simulation.schedule(soon(8), "continue", node.process::resume);
    }

    private void cut(SimIoNode node, List<SimNode> from) {
        from.forEach(client -> nodes.network().cut(node.process, client));
        simulation.schedule(soon(4), "heal block network", nodes.network()::heal);
    }

    private void loseMessages() {
        nodes.network().loss(0.05);
        simulation.schedule(
                soon(4), "block messages arrive", () -> nodes.network().loss(0));
    }

    private void fill(SimIoNode node) {
        node.disk.setFull(true);
        simulation.schedule(soon(4), "room on a disk", () -> node.disk.setFull(false));
    }

    private void rot() {
        List<Runnable> possible = nodes.segments().rots();
        if (!possible.isEmpty()) {
            any(possible).run();
        }
    }

    /** Of a node whose blocks the others can make again. */
    private void replaceDisk(SimIoNode node) {
        if (node.process.isUp() && nodes.segments().bearsLossOf(node)) {
            nodes.segments().expose(node);
            node.crash();
            node.disk.wipe();
        }
    }

    private Duration soon(int seconds) {
        return simulation.between(Duration.ofMillis(200), Duration.ofSeconds(seconds));
    }
}
