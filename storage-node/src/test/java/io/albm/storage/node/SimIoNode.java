// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.BlockId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** One I/O node: the production {@link BlockStore} on a simulated disk, in a process that can be killed and stopped. */
final class SimIoNode {
    private static final long CAPACITY = 1L << 30;
    private static final int STEPS_TO_LIVE = 8;

    /** What a request does with the store. */
    @FunctionalInterface
    interface Work<T> {
        T on(BlockStore store) throws IOException;
    }

    /** What became of it. */
    sealed interface Outcome<T> {
        record Done<T>(T value) implements Outcome<T> {}

        record Failed<T>(IOException cause) implements Outcome<T> {}
    }

    final NodeId id;
    final SimNode process;
    final SimBlockDisk disk;
    private final Simulation simulation;
    private BlockStore store;
    private boolean dying;

    SimIoNode(Simulation simulation, NodeId id, SimIoFault fault) {
        this.simulation = simulation;
        this.id = id;
        this.process = new SimNode(simulation, id.value());
        this.disk = new SimBlockDisk(simulation, fault);
        this.store = open();
    }

    private BlockStore open() {
        try {
            return new BlockStore(disk, CAPACITY, 0, this::later);
        } catch (IOException e) {
            throw new AssertionError("I/O NODES START AGAIN: " + id, e);
        }
    }

    private void later(Runnable settling) {
        process.after(simulation.between(Duration.ZERO, Duration.ofMillis(20)), "settle", () -> orDie(settling));
    }

    /** Does the work after the disk's delay; there is no outcome if the process dies before. */
    <T> void work(String what, Work<T> work, Consumer<Outcome<T>> then) {
        process.after(
                simulation.between(Duration.ofNanos(100_000), Duration.ofMillis(4)),
                what,
                () -> orDie(() -> {
                    try {
                        then.accept(new Outcome.Done<>(work.on(store)));
                    } catch (IOException failure) {
                        then.accept(new Outcome.Failed<>(failure));
                    }
                }));
    }

    private void orDie(Runnable step) {
        try {
            step.run();
        } catch (SimBlockDisk.PowerLost dead) {
            simulation.note(id + ": " + dead.getMessage());
            crash();
        }
    }

    /** Power goes in the middle of what the disk does next, or soon if it does nothing. */
    void crashSoon() {
        if (process.isUp() && !dying) {
            dying = true;
            disk.losePowerWithin(STEPS_TO_LIVE);
            process.after(Duration.ofMillis(300), "power lost while idle", this::crash);
        }
    }

    void crash() {
        dying = false;
        process.crash();
        disk.crash();
    }

    /** After a crash; opens the store anew, as the process does. */
    void restart() {
        store = open();
        process.restart();
    }

    /** The body of a block as the disk has it, if it is what was written. */
    Optional<byte[]> good(BlockId block) {
        try {
            int length = store.verify(block).length();
            return Optional.of(
                    ByteBufUtil.getBytes((ByteBuf) store.read(block, 0, length).body()));
        } catch (IOException missingOrCorrupt) {
            return Optional.empty();
        }
    }

    static String fileOf(BlockId block) {
        return "blocks/" + block.generation() + "/" + block.stripe() + "-" + block.unit();
    }
}
