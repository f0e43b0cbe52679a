// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two directories in which the same is done: one on a local file system, which says what is right, and one on a mount.
 *
 * @param local the directory that is right
 * @param mounted the one that is tested
 */
record Twins(Path local, Path mounted) {
    /** Something that is done in a directory. */
    @FunctionalInterface
    interface Work {
        /** Gives what a system call returned, or {@code -errno}. */
        long in(Path root);
    }

    /** Does it in both. */
    void prepare(Work work) {
        work.in(local);
        work.in(mounted);
    }

    /**
     * Does something in both and compares what it returned and what it did to some names and to the directories that they are in.
     *
     * @return how the mount differs from what is right; null if it does not
     */
    @Nullable
    String difference(Work work, String... names) throws IOException {
        Set<String> looked = withParents(names);
        String right = outcome(local, work, looked);
        String found = outcome(mounted, work, looked);
        return right.equals(found) ? null : "right is\n  " + right + "\nbut the mount gives\n  " + found;
    }

    /** Compares all that is below. @return as {@link #difference} */
    @Nullable
    String differenceOfTrees() throws IOException {
        String right = tree(local);
        String found = tree(mounted);
        return right.equals(found) ? null : "right is\n" + right + "\nbut the mount shows\n" + found;
    }

    private static String tree(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            Map<String, String> shown = new TreeMap<>();
            for (Path path : all.toList()) {
                Shown one = Shown.of(path);
                shown.put(root.relativize(path).toString(), one == null ? "gone" : one.text());
            }
            return shown.entrySet().stream()
                    .map(entry -> "  " + entry.getKey() + ": " + entry.getValue())
                    .collect(Collectors.joining("\n"));
        }
    }

    private static Set<String> withParents(String... names) {
        Set<String> all = new LinkedHashSet<>();
        for (String name : names) {
            Path path = Path.of(name.length() > 1000 ? "" : name);
            all.add(path.toString());
            all.add(path.getParent() == null ? "" : path.getParent().toString());
        }
        return all;
    }

    private static String outcome(Path root, Work work, Collection<String> names) throws IOException {
        Map<Object, Shown> before = new HashMap<>();
        for (String name : names) {
            Shown shown = Shown.of(root.resolve(name));
            if (shown != null) {
                before.put(shown.inode(), shown);
            }
        }
        StringBuilder text = new StringBuilder(result(work.in(root)));
        for (String name : names) {
            text.append("; ").append(name.isEmpty() ? "." : name).append(": ");
            text.append(outcome(Shown.of(root.resolve(name)), before));
        }
        return text.toString();
    }

    private static String result(long returned) {
        return returned < 0 ? Errno.text((int) -returned) : Long.toString(returned);
    }

    private static String outcome(@Nullable Shown now, Map<Object, Shown> before) {
        if (now == null) {
            return "none";
        }
        Shown then = before.get(now.inode());
        if (then == null) {
            return now.text() + " is new";
        }
        return now.text()
                + (now.modified().equals(then.modified()) ? "" : " modified")
                + (now.changed().equals(then.changed()) ? "" : " changed");
    }

    /** Until the local file system's clock goes on: its ticks may be milliseconds apart. */
    void awaitTick() throws IOException {
        Path probe = local.resolveSibling(local.getFileName() + ".tick");
        Files.writeString(probe, "");
        Object start = Files.getAttribute(probe, "unix:ctime");
        while (Files.getAttribute(probe, "unix:ctime").equals(start)) {
            Files.writeString(probe, "");
        }
        Files.delete(probe);
    }
}
