// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.albm.checkpoint.rank.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds whole states in the directory where a program hands them over.
 *
 * <p>What is renamed to the name of a step is whole. Of a file that is written under that name itself it is not seen when
 * it is: a process that was killed has closed it, too. Such a file is whole
 *
 * <ul>
 *   <li>when a later step has appeared: the program went on after it; or
 *   <li>when a process that was seen with it open for writing lives and has closed it. So a file that took so short to
 *       write that this was never seen waits for the next one.
 * </ul>
 *
 * <p>Both hold for a program that ends when a process dies that writes its states. For one thread.
 */
final class HandoverDirectory {
    /** Called for each whole state, in the order of steps. It takes it away; what it leaves there is not found again. */
    @FunctionalInterface
    interface Finder {
        void found(long step, Path state);
    }

    private final Path directory;
    private final StepNames names;
    private final boolean inPlace;
    private final ProcessHandle rank;
    private final Map<Path, Set<ProcessHandle>> writers = new HashMap<>();
    private final Map<Path, Identity> left = new HashMap<>();

    /** Another file or directory of the same name, written later, is another state. */
    private record Identity(@Nullable Object key, FileTime modified) {
        static Optional<Identity> of(Path state) throws IOException {
            try {
                BasicFileAttributes now = Files.readAttributes(state, BasicFileAttributes.class, NOFOLLOW_LINKS);
                return Optional.of(new Identity(now.fileKey(), now.lastModifiedTime()));
            } catch (NoSuchFileException e) {
                return Optional.empty();
            }
        }
    }

    HandoverDirectory(Path directory, StepNames names, boolean inPlace, ProcessHandle rank) {
        this.directory = directory;
        this.names = names;
        this.inPlace = inPlace;
        this.rank = rank;
    }

    /** Looks once. */
    void scan(Finder finder) throws IOException {
        NavigableMap<Long, Path> states = list();
        writers.keySet().retainAll(states.values());
        left.keySet().retainAll(states.values());
        for (Map.Entry<Long, Path> state : states.entrySet()) {
            boolean newest = state.getKey().equals(states.lastKey());
            if (!wasLeft(state.getValue()) && (!inPlace || !newest || isClosed(state.getValue()))) {
                writers.remove(state.getValue());
                Optional<Identity> found = Identity.of(state.getValue());
                finder.found(state.getKey(), state.getValue());
                // What has the name by now may be another state, which is to be found.
                Identity.of(state.getValue())
                        .filter(now -> found.filter(now::equals).isPresent())
                        .ifPresent(same -> left.put(state.getValue(), same));
            }
        }
    }

    private boolean wasLeft(Path state) throws IOException {
        Identity before = left.get(state);
        return before != null && Identity.of(state).filter(before::equals).isPresent();
    }

    /** Somebody writes to a state now: it will be whole soon. */
    boolean isBeingWritten() {
        return !writers.isEmpty();
    }

    private NavigableMap<Long, Path> list() throws IOException {
        NavigableMap<Long, Path> states = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.forEach(file -> {
                OptionalLong step = names.step(file.getFileName().toString());
                step.ifPresent(number -> states.put(number, file));
            });
        }
        return states;
    }

    private boolean isClosed(Path file) throws IOException {
        Set<ProcessHandle> now = OpenFiles.writers(rank, file);
        Set<ProcessHandle> seen = writers.getOrDefault(file, Set.of());
        if (!now.isEmpty()) {
            Set<ProcessHandle> all = new HashSet<>(seen);
            all.addAll(now);
            writers.put(file, all);
            return false;
        }
        // Looked at after its files: a process that dies now has closed them by itself before.
        return !seen.isEmpty() && seen.stream().allMatch(HandoverDirectory::lives);
    }

    private static boolean lives(ProcessHandle process) {
        return process.isAlive() && !Processes.isDying(process.pid());
    }
}
