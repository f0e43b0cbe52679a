// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.sim.Simulation;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A file system that keeps no more than its processes may count on: a loss of power leaves the worst that POSIX, ext4 and XFS
 * allow.
 *
 * <p><b>Content</b> is sure after {@link Inode#sync}. Of what was written since, each page is there, or what was there
 * before, or zeros, and the file ends anywhere. <b>Names</b>, those of directories among them, are sure after {@link
 * #syncDirectory} of the directory they are in. Of what was changed since, each change is there or not, whatever became of
 * the others and of the content: a file may have its new name and not its bytes, its bytes and no name, or be there again
 * after its removal. All is sure after {@link #sync}.
 *
 * <p>A path is {@code directory/name}; directories come with their first file.
 */
final class SimFileSystem {
    private static final int PAGE_BYTES = 4096;

    private final NavigableMap<String, Directory> directories = new TreeMap<>();
    private long used;

    /** Content, whatever its names. Arrays are never changed, so that they may be shared. */
    static final class Inode {
        private byte[] shown = {};
        private byte[] durable = {};

        /** What a process sees. */
        byte[] content() {
            return shown;
        }

        void write(byte[] content) {
            shown = content;
        }

        void sync() {
            durable = shown;
        }

        @SuppressWarnings("ReferenceEquality") // a sync shares the array, and a write brings another
        private boolean isSure() {
            return durable == shown;
        }

        private void crash(Simulation simulation) {
            if (!isSure()) {
                shown = torn(simulation);
                durable = shown;
            }
        }

        private byte[] torn(Simulation simulation) {
            int[] ends = {shown.length, durable.length, simulation.random().nextInt(shown.length + 1)};
            byte[] left = Arrays.copyOf(durable, ends[simulation.random().nextInt(ends.length)]);
            double written = someChance(simulation);
            for (int from = 0; from < left.length; from += PAGE_BYTES) {
                int end = Math.min(from + PAGE_BYTES, left.length);
                if (simulation.chance(written)) {
                    System.arraycopy(shown, from, left, from, Math.max(0, Math.min(end, shown.length) - from));
                } else if (simulation.chance(0.5)) {
                    Arrays.fill(left, from, end, (byte) 0);
                }
            }
            return left;
        }

        private void flip(int at, int bit) {
            boolean wasSure = isSure();
            shown = shown.clone();
            shown[at] ^= (byte) (1 << bit);
            durable = wasSure ? shown : durable;
        }
    }

    /** None, some or all of what may be lost. */
    private static double someChance(Simulation simulation) {
        return simulation.random().nextInt(3) / 2.0;
    }

    /** @param inode null if the name was removed */
    private record Change(String name, @Nullable Inode inode) {}

    private static final class Directory {
        private final SortedMap<String, Inode> shown = new TreeMap<>();
        private final Map<String, Inode> durable = new HashMap<>();
        private final List<Change> unsynced = new ArrayList<>();
        private boolean isThere = true;
        /** Whether its own name is sure. */
        private boolean isSure;

        void put(String name, Inode inode) {
            shown.put(name, inode);
            unsynced.add(new Change(name, inode));
        }

        void remove(String name) {
            shown.remove(name);
            unsynced.add(new Change(name, null));
        }

        void sync() {
            durable.clear();
            durable.putAll(shown);
            unsynced.clear();
        }

        /** Whether it is still there. */
        boolean crash(Simulation simulation) {
            double kept = someChance(simulation);
            unsynced.stream().filter(change -> simulation.chance(kept)).forEach(this::persist);
            unsynced.clear();
            shown.clear();
            shown.putAll(durable);
            boolean stays = isThere == isSure ? isThere : simulation.chance(0.5) || (isSure && !durable.isEmpty());
            isThere = stays;
            isSure = stays;
            return stays;
        }

        private void persist(Change change) {
            if (change.inode() == null) {
                durable.remove(change.name());
            } else {
                durable.put(change.name(), change.inode());
            }
        }

        /** Whether the name stands for the same content whatever is lost. */
        boolean isSure(String name) {
            Inode now = shown.get(name);
            return now != null
                    && isSame(durable.get(name), now)
                    && unsynced.stream()
                            .filter(change -> change.name().equals(name))
                            .allMatch(change -> isSame(change.inode(), now));
        }

        private static boolean isSame(@Nullable Inode maybe, Inode now) {
            return maybe != null && maybe.isSure() && Arrays.equals(maybe.durable, now.shown);
        }
    }

    /** Writes a file anew, or over what is there. */
    Inode write(String path, byte[] content) {
        Directory directory = directory(folder(path));
        Inode inode = directory.shown.get(name(path));
        if (inode == null) {
            inode = new Inode();
            directory.put(name(path), inode);
        }
        used += content.length - inode.shown.length;
        inode.write(content);
        return inode;
    }

    Inode find(String path) throws NoSuchFileException {
        Inode inode = inode(path);
        if (inode == null) {
            throw new NoSuchFileException(path);
        }
        return inode;
    }

    private @Nullable Inode inode(String path) {
        Directory directory = directories.get(folder(path));
        return directory == null ? null : directory.shown.get(name(path));
    }

    boolean exists(String path) {
        return inode(path) != null;
    }

    /** Bytes of a file; none if it is not there. */
    OptionalLong length(String path) {
        Inode inode = inode(path);
        return inode == null ? OptionalLong.empty() : OptionalLong.of(inode.shown.length);
    }

    /** Whether the file of a path has another one, too. */
    boolean hasOtherNames(String path) throws NoSuchFileException {
        Inode inode = find(path);
        return directories.values().stream()
                        .flatMap(directory -> directory.shown.values().stream())
                        .filter(other -> isSame(other, inode))
                        .limit(2)
                        .count()
                > 1;
    }

    @SuppressWarnings("ReferenceEquality") // which inode it is counts, not what is in it
    private static boolean isSame(Inode one, Inode two) {
        return one == two;
    }

    /** In the place of what has the other name, in one step. */
    void rename(String from, String to) throws NoSuchFileException {
        Inode inode = find(from);
        Directory target = directory(folder(to));
        Inode replaced = target.shown.get(name(to));
        used -= replaced == null ? 0 : replaced.shown.length;
        target.put(name(to), inode);
        directory(folder(from)).remove(name(from));
    }

    void delete(String path) {
        if (exists(path)) {
            Directory directory = directory(folder(path));
            used -= Objects.requireNonNull(directory.shown.get(name(path))).shown.length;
            directory.remove(name(path));
        }
    }

    /** Removes a directory that is empty. */
    void deleteDirectory(String path) {
        Directory directory = directories.get(path);
        if (directory != null) {
            directory.isThere = false;
        }
    }

    /** Makes sure what the directory has: files, and directories by their names. */
    void syncDirectory(String path) {
        Directory directory = directories.get(path);
        if (directory != null) {
            directory.sync();
        }
        SortedMap<String, Directory> below = below(path);
        below.entrySet().removeIf(entry -> isChild(path, entry.getKey()) && !entry.getValue().isThere);
        below.forEach((name, child) -> child.isSure |= isChild(path, name));
    }

    /** Makes sure all that there is. */
    void sync() {
        List.copyOf(directories.keySet()).forEach(this::syncDirectory);
        syncDirectory("");
        directories.values().forEach(directory -> directory.shown.values().forEach(Inode::sync));
    }

    private SortedMap<String, Directory> below(String path) {
        return path.isEmpty() ? directories : directories.subMap(path + "/", path + (char) ('/' + 1));
    }

    private static boolean isChild(String parent, String path) {
        return folder(path).equals(parent);
    }

    boolean isDirectory(String path) {
        Directory directory = directories.get(path);
        return directory != null && directory.isThere;
    }

    /** The files of a directory by name. */
    SortedMap<String, Inode> files(String path) {
        Directory directory = directories.get(path);
        return directory == null ? new TreeMap<>() : directory.shown;
    }

    /** The names of the directories in a directory. */
    List<String> directories(String path) {
        return below(path).entrySet().stream()
                .filter(entry -> entry.getValue().isThere && isChild(path, entry.getKey()))
                .map(entry -> name(entry.getKey()))
                .toList();
    }

    /** The paths of all files. */
    SortedSet<String> paths() {
        SortedSet<String> paths = new TreeSet<>();
        directories.forEach(
                (folder, directory) -> directory.shown.keySet().forEach(name -> paths.add(folder + "/" + name)));
        return paths;
    }

    /** Bytes of all files. */
    long used() {
        return used;
    }

    /** Whether a file would be there, as it is, after a loss of power. */
    boolean isSure(String path) {
        Directory directory = directories.get(folder(path));
        return directory != null && directory.isSure(name(path)) && isWaySure(folder(path));
    }

    private boolean isWaySure(String folder) {
        return folder.isEmpty()
                || (Objects.requireNonNull(directories.get(folder)).isSure && isWaySure(folder(folder)));
    }

    /** Power is lost, and back. */
    void crash(Simulation simulation) {
        Set<String> lost = new HashSet<>();
        directories.forEach((path, directory) -> {
            if (!directory.crash(simulation) || lost.contains(folder(path))) {
                lost.add(path);
            }
        });
        directories.keySet().removeAll(lost);
        used = 0;
        directories
                .values()
                .forEach(directory -> directory.shown.values().forEach(inode -> {
                    inode.crash(simulation);
                    used += inode.shown.length;
                }));
    }

    /** Another disk, empty, takes the place of this one. */
    void wipe() {
        directories.clear();
        used = 0;
    }

    /** Flips one bit of a file that is not empty. */
    void rot(String path, Simulation simulation) throws NoSuchFileException {
        Inode inode = find(path);
        inode.flip(
                simulation.random().nextInt(inode.shown.length),
                simulation.random().nextInt(Byte.SIZE));
        simulation.note("bit rot in " + path);
    }

    private Directory directory(String path) {
        if (!path.isEmpty() && !folder(path).isEmpty()) {
            directory(folder(path));
        }
        Directory directory = directories.computeIfAbsent(path, missing -> new Directory());
        if (!directory.isThere) {
            directory.isThere = true;
            directory.isSure = false;
        }
        return directory;
    }

    private static String folder(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
