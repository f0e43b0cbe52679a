// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.node.NodeId;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** One I/O node: the production {@link BlockStore} on a simulated disk, in a process that can be killed and stopped. */
final class SimIoNode {
    private static final long CAPACITY = 1L << 30;
    private static final int STEPS_TO_LIVE = 8;

    /** So little that chunks go. */
    private static final long CACHE = 1 << 16;

    private static final Duration WRITE_BACK = Duration.ofSeconds(30);

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
    private final boolean isCached;
    private final long spareBytes;
    private BlockStore store;
    private boolean dying;

    /** @param onChange told of each file of its disk that may be another one now, or gone */
    SimIoNode(SimNode process, Simulation simulation, SimIoFault fault, BiConsumer<SimIoNode, String> onChange) {
        this.simulation = simulation;
        this.id = new NodeId(process.name());
        this.process = process;
        this.disk = new SimBlockDisk(simulation, fault, file -> onChange.accept(this, file));
        this.isCached = simulation.random().nextBoolean();
        this.spareBytes = simulation.random().nextInt(4) * 65_536L;
        this.store = open();
        writeBack();
    }

    /** The kernel does not wait for ever until somebody asks for an fsync. */
    private void writeBack() {
        simulation.schedule(WRITE_BACK, "write back", () -> {
            disk.writeBack();
            writeBack();
        });
    }

    private BlockStore open() {
        try {
            return new BlockStore(disk, CAPACITY, 0, this::later, isCached ? cache() : null, spareBytes);
        } catch (IOException e) {
            throw new AssertionError("I/O NODES START AGAIN: " + id, e);
        }
    }

    private static ChunkCache cache() {
        return new ChunkCache(CACHE, SimAllocator.INSTANCE, new LongAdder(), new LongAdder());
    }

    private void later(Runnable settling) {
        process.after(simulation.between(Duration.ZERO, Duration.ofMillis(20)), "settle", () -> orDie(settling));
    }

    /** Does the work after the disk's delay; there is no outcome if the process dies before. */
    <T> void work(Object what, Work<T> work, Consumer<Outcome<T>> then) {
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
            process.after(Duration.ofMillis(300), "power lost while idle", () -> {
                if (dying) {
                    crash();
                }
            });
        }
    }

    /** Whether it is about to lose power. */
    boolean isDying() {
        return dying;
    }

    /** Nothing happens to it any more. */
    void calm() {
        dying = false;
        disk.keepPower();
        disk.setFull(false);
        process.resume();
    }

    /** Power is lost. */
    void crash() {
        kill();
        disk.crash();
    }

    /** The process ends; what it has written stays. */
    void kill() {
        dying = false;
        process.crash();
    }

    /**
     * After a crash; opens the store anew, as the process does.
     *
     * @param mayDie of that
     */
    void restart(boolean mayDie) {
        process.restart();
        if (mayDie && simulation.chance(0.1)) {
            disk.losePowerWithin(STEPS_TO_LIVE);
        }
        orDie(() -> store = open());
    }

    /** What is to be known of a block as the disk has it, if it is whole. */
    Optional<BlockHeader> header(BlockId block) {
        try (BlockFile file = disk.open(fileOf(block))) {
            return Optional.of(BlockFormat.verify(file, block, SimAllocator.INSTANCE));
        } catch (IOException missingOrCorrupt) {
            return Optional.empty();
        }
    }

    /** The body of a block that is whole. */
    byte[] body(BlockId block) throws IOException {
        try (BlockFile file = disk.open(fileOf(block))) {
            int head = BlockFormat.headBytes(
                    BlockFormat.readHead(file, block, SimAllocator.INSTANCE).length());
            return ByteBufUtil.getBytes(file.read(head, (int) file.bytes() - head, SimAllocator.INSTANCE));
        }
    }

    static String fileOf(BlockId block) {
        return BlockStore.BLOCKS + "/" + block.generation() + "/" + block.stripe() + "-" + block.unit();
    }
}
