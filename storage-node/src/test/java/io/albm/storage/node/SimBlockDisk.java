// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.sim.Simulation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.function.Consumer;

/** A block store's disk: a {@link SimFileSystem} that loses power between any two of its steps, and may be full. */
final class SimBlockDisk implements BlockDisk {
    /** An error, so that no handler of the store goes on working after its own death. */
    static final class PowerLost extends Error {
        PowerLost(String step) {
            super("power lost before " + step);
        }
    }

    private static final long CAPACITY = 1L << 30;

    private final Simulation simulation;
    private final SimIoFault fault;
    private final Consumer<String> onChange;
    private final SimFileSystem files = new SimFileSystem();
    private int stepsToLive = Integer.MAX_VALUE;
    private boolean isFull;

    /** @param onChange told of each file or directory that may be another one now, or gone */
    SimBlockDisk(Simulation simulation, SimIoFault fault, Consumer<String> onChange) {
        this.simulation = simulation;
        this.fault = fault;
        this.onChange = onChange;
    }

    /** Power goes before one of the next steps. */
    void losePowerWithin(int steps) {
        stepsToLive = simulation.random().nextInt(steps);
    }

    /** Power stays. */
    void keepPower() {
        stepsToLive = Integer.MAX_VALUE;
    }

    /** What power loss leaves behind. */
    void crash() {
        keepPower();
        changeAll(() -> files.crash(simulation));
    }

    /** Makes durable what nobody has asked for. */
    void writeBack() {
        changeAll(files::sync);
    }

    /** Another disk, empty, takes the place of this one. */
    void wipe() {
        changeAll(files::wipe);
    }

    private void changeAll(Runnable change) {
        SortedSet<String> paths = files.paths();
        change.run();
        paths.addAll(files.paths());
        paths.forEach(onChange);
    }

    void rot(String name) {
        try {
            files.rot(name, simulation);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
        onChange.accept(name);
    }

    /** Whether there is no room for more. */
    void setFull(boolean full) {
        isFull = full;
    }

    /** Whether the file would be there, as it is, after a loss of power. */
    boolean isSure(String name) {
        return files.isSure(name);
    }

    @Override
    public Written write(String name, ByteBuf head, ByteBuf body) {
        step("write of ", name);
        byte[] bytes = new byte[head.readableBytes() + body.readableBytes()];
        head.getBytes(head.readerIndex(), bytes, 0, head.readableBytes());
        body.getBytes(body.readerIndex(), bytes, head.readableBytes(), body.readableBytes());
        SimFileSystem.Inode inode = files.write(name, bytes);
        return new Written() {
            @Override
            public void sync() {
                step("fsync of ", name);
                if (fault.isSynced(name)) {
                    inode.sync();
                }
            }

            @Override
            public void close() {
                // There is nothing to close.
            }
        };
    }

    @Override
    public boolean hasOtherNames(String name) throws IOException {
        return !fault.leavesOldNames() && files.hasOtherNames(name);
    }

    @Override
    public BlockFile open(String name, Runnable closed) throws IOException {
        ByteBuf content = Unpooled.wrappedBuffer(files.find(name).content());
        return new BlockFile() {
            @Override
            public long bytes() {
                return content.readableBytes();
            }

            @Override
            public ByteBuf read(long position, int length, ByteBufAllocator allocator) {
                return content.retainedSlice((int) position, (int) Math.min(length, bytes() - position));
            }

            @Override
            public ByteBuf send(long position, int length, ByteBufAllocator allocator) {
                close();
                return content.slice((int) position, length);
            }

            @Override
            public void close() {
                closed.run();
            }
        };
    }

    @Override
    public void rename(String from, String to) throws IOException {
        step("rename to ", to);
        if (fault.isWrittenInPlace(to) && files.exists(to)) {
            files.write(to, files.find(from).content());
            files.delete(from);
        } else {
            files.rename(from, to);
        }
        onChange.accept(to);
    }

    @Override
    public void syncDirectory(String directory) {
        step("fsync of directory ", directory);
        if (files.isDirectory(directory)) {
            for (String level = directory; !level.isEmpty(); level = parent(level)) {
                syncLevel(level);
            }
            files.syncDirectory("");
        }
    }

    private void syncLevel(String directory) {
        boolean isOfRemoved = files.files(directory).isEmpty();
        if (fault.isSynced(directory) && !(isOfRemoved && fault.leavesOldNames())) {
            files.syncDirectory(directory);
            files.files(directory).keySet().forEach(name -> onChange.accept(directory + "/" + name));
        }
    }

    private static String parent(String directory) {
        return directory.substring(0, Math.max(0, directory.lastIndexOf('/')));
    }

    @Override
    public OptionalLong bytes(String name) {
        return files.length(name);
    }

    @Override
    public void delete(String name) {
        step("removal of ", name);
        files.delete(name);
        onChange.accept(name);
    }

    @Override
    public void deleteDirectory(String directory) {
        List.copyOf(files.files(directory).keySet()).forEach(name -> delete(directory + "/" + name));
        step("removal of directory ", directory);
        files.deleteDirectory(directory);
        onChange.accept(directory);
    }

    @Override
    public List<Entry> files(String directory) {
        return files.files(directory).entrySet().stream()
                .map(file -> new Entry(file.getKey(), file.getValue().content().length))
                .toList();
    }

    @Override
    public List<String> directories(String directory) {
        return files.directories(directory);
    }

    @Override
    public long usableBytes() {
        return isFull ? 0 : CAPACITY - files.used();
    }

    private void step(String what, String name) {
        if (stepsToLive-- == 0) {
            throw new PowerLost(what + name);
        }
    }
}
