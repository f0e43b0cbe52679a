// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.sim.SimDisk;
import io.albm.core.sim.Simulation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A block store's disk that loses power between any two of its steps: a write that was not fsynced is torn, a name whose
 * directory was not fsynced is lost or not.
 */
final class SimBlockDisk implements BlockDisk {
    /** An error, so that no handler of the store goes on working after its own death. */
    static final class PowerLost extends Error {
        PowerLost(String step) {
            super("power lost before " + step);
        }
    }

    private static final long CAPACITY = 1L << 30;

    private final Simulation simulation;
    private final SimDisk disk;
    private final SimIoFault fault;
    private final Set<String> namesNotDurable = new TreeSet<>();
    private final Map<String, Long> versions = new HashMap<>();
    private int stepsToLive = Integer.MAX_VALUE;
    private long changes;

    SimBlockDisk(Simulation simulation, SimIoFault fault) {
        this.simulation = simulation;
        this.disk = new SimDisk(simulation, CAPACITY);
        this.fault = fault;
    }

    /** Power goes before one of the next steps. */
    void losePowerWithin(int steps) {
        stepsToLive = simulation.random().nextInt(steps);
    }

    /** What power loss leaves behind. */
    void crash() {
        stepsToLive = Integer.MAX_VALUE;
        disk.crash();
        namesNotDurable.stream().filter(name -> simulation.chance(0.5)).forEach(disk::delete);
        namesNotDurable.clear();
        disk.list().forEach(this::changed);
        changes++;
    }

    /** Another disk, empty, takes the place of this one. */
    void wipe() {
        disk.list().forEach(this::remove);
    }

    void rot(String name) {
        try {
            disk.rot(name);
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
        changed(name);
    }

    /** Whether the file would be there after a loss of power. */
    boolean isDurable(String name) {
        return disk.exists(name) && !namesNotDurable.contains(name);
    }

    /** Differs from all earlier answers when the file may have changed since. */
    long version(String name) {
        return versions.getOrDefault(name, 0L);
    }

    /** Changes of all files. */
    long changes() {
        return changes;
    }

    SortedSet<String> list() {
        return disk.list();
    }

    @Override
    public Written write(String name, ByteBuf head, ByteBuf body) throws IOException {
        step("write of " + name);
        byte[] bytes = new byte[head.readableBytes() + body.readableBytes()];
        head.getBytes(head.readerIndex(), bytes, 0, head.readableBytes());
        body.getBytes(body.readerIndex(), bytes, head.readableBytes(), body.readableBytes());
        disk.delete(name);
        disk.write(name, 0, bytes);
        return new Written() {
            @Override
            public void sync() throws IOException {
                step("fsync of " + name);
                if (fault.isSynced(name)) {
                    disk.fsync(name);
                }
            }

            @Override
            public void close() {
                // There is nothing to close.
            }
        };
    }

    @Override
    public BlockFile open(String name) throws IOException {
        ByteBuf content = Unpooled.wrappedBuffer(disk.read(name));
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
                return content.slice((int) position, length);
            }

            @Override
            public void close() {
                // The garbage collector has it.
            }
        };
    }

    @Override
    public void rename(String from, String to) throws IOException {
        step("rename to " + to);
        disk.rename(from, to);
        namesNotDurable.add(to);
        changed(to);
    }

    @Override
    public void syncDirectory(String directory) {
        step("fsync of directory " + directory);
        if (fault.isSynced(directory)) {
            namesNotDurable.removeIf(name -> name.startsWith(directory + "/"));
        }
    }

    @Override
    public OptionalLong bytes(String name) throws IOException {
        return disk.exists(name) ? OptionalLong.of(disk.read(name).length) : OptionalLong.empty();
    }

    @Override
    public void delete(String name) {
        step("removal of " + name);
        remove(name);
    }

    @Override
    public void deleteDirectory(String directory) throws IOException {
        for (Entry file : files(directory)) {
            delete(directory + "/" + file.name());
        }
    }

    @Override
    public List<Entry> files(String directory) throws IOException {
        List<String> names =
                below(directory).filter(name -> name.indexOf('/') < 0).toList();
        Entry[] entries = new Entry[names.size()];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new Entry(
                    names.get(i), bytes(directory + "/" + names.get(i)).orElseThrow());
        }
        return List.of(entries);
    }

    @Override
    public List<String> directories(String directory) {
        return below(directory)
                .filter(name -> name.indexOf('/') > 0)
                .map(name -> name.substring(0, name.indexOf('/')))
                .distinct()
                .toList();
    }

    @Override
    public long usableBytes() {
        return CAPACITY - disk.used();
    }

    private Stream<String> below(String directory) {
        String prefix = directory + "/";
        return disk.list().stream()
                .filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()));
    }

    private void remove(String name) {
        disk.delete(name);
        namesNotDurable.remove(name);
        changed(name);
    }

    private void changed(String name) {
        versions.merge(name, 1L, Long::sum);
        changes++;
    }

    private void step(String what) {
        if (stepsToLive-- == 0) {
            throw new PowerLost(what);
        }
    }
}
