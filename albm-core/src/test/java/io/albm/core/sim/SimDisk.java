// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A disk that keeps only what was fsynced.
 *
 * <p>A crash keeps of each unsynced write all, nothing, or a prefix (a torn write), each write by itself, as a disk
 * cache that reorders does. Names are metadata: creating, renaming and deleting is durable at once, as on a journaling
 * file system that orders metadata; only content needs {@link #fsync}. Bit rot flips one bit of durable content.
 */
public final class SimDisk {
    private final Simulation simulation;
    private final long capacity;
    private final Map<String, Content> files = new TreeMap<>();

    /** @param capacity bytes that fit */
    public SimDisk(Simulation simulation, long capacity) {
        this.simulation = simulation;
        this.capacity = capacity;
    }

    /** Writes at the offset; a gap before it reads as zeros. Not durable before {@link #fsync}. */
    public void write(String file, long offset, byte[] bytes) throws IOException {
        Content content = files.computeIfAbsent(file, name -> new Content());
        long grows = Math.max(0, offset + bytes.length - content.cached.length);
        if (used() + grows > capacity) {
            throw new IOException("no space left on device: " + file + " needs " + grows + " bytes more");
        }
        content.write((int) offset, bytes.clone());
    }

    /** Makes everything written to the file so far survive a crash. */
    public void fsync(String file) throws IOException {
        find(file).sync();
    }

    /** What a reader sees now: written bytes, synced or not. */
    public byte[] read(String file) throws IOException {
        return find(file).cached.clone();
    }

    public boolean exists(String file) {
        return files.containsKey(file);
    }

    /** Names of all files, sorted. */
    public SortedSet<String> list() {
        return new TreeSet<>(files.keySet());
    }

    /** Replaces {@code to}, atomically. */
    public void rename(String from, String to) throws IOException {
        Content content = find(from);
        files.remove(from);
        files.put(to, content);
    }

    public void delete(String file) {
        files.remove(file);
    }

    /** Bytes in use. */
    public long used() {
        return files.values().stream()
                .mapToLong(content -> content.cached.length)
                .sum();
    }

    /** Power fails: unsynced writes survive whole, torn or not at all. */
    public void crash() {
        files.values().forEach(content -> content.crash(simulation));
    }

    /** Flips one random bit of the file; nothing happens to an empty one. */
    public void rot(String file) throws IOException {
        Content content = find(file);
        if (content.cached.length > 0) {
            content.flip(
                    simulation.random().nextInt(content.cached.length),
                    simulation.random().nextInt(8));
            simulation.note("bit rot in " + file);
        }
    }

    private Content find(String file) throws IOException {
        Content content = files.get(file);
        if (content == null) {
            throw new NoSuchFileException(file);
        }
        return content;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Write(int offset, byte[] bytes) {
        byte[] onto(byte[] base) {
            byte[] grown = Arrays.copyOf(base, Math.max(base.length, offset + bytes.length));
            System.arraycopy(bytes, 0, grown, offset, bytes.length);
            return grown;
        }
    }

    private static final class Content {
        private byte[] durable = new byte[0];
        private byte[] cached = new byte[0];
        private final List<Write> unsynced = new ArrayList<>();

        void write(int offset, byte[] bytes) {
            Write write = new Write(offset, bytes);
            cached = write.onto(cached);
            unsynced.add(write);
        }

        void sync() {
            durable = cached.clone();
            unsynced.clear();
        }

        void crash(Simulation simulation) {
            for (Write write : unsynced) {
                int kept = simulation.random().nextInt(write.bytes().length + 1);
                int survives = simulation.chance(1 / 3.0) ? write.bytes().length : simulation.chance(0.5) ? 0 : kept;
                if (survives > 0) {
                    durable = new Write(write.offset(), Arrays.copyOf(write.bytes(), survives)).onto(durable);
                }
            }
            unsynced.clear();
            cached = durable.clone();
        }

        void flip(int at, int bit) {
            cached[at] ^= (byte) (1 << bit);
            if (at < durable.length) {
                durable[at] ^= (byte) (1 << bit);
            }
        }
    }
}
