// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import io.albm.checkpoint.rank.StateFile;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * States that a rank has handed over, out of its reach. A state is taken by renaming it, which is one step of the file
 * system for a directory, too: whatever the program does with the old name later, it does to something else. Thread-safe.
 */
final class KeptStates {
    private final Path directory;
    private final Map<Long, Fingerprint> taken = new ConcurrentHashMap<>();

    /** @param directory an empty one, on the file system of what is handed over and of the files that are saved */
    KeptStates(Path directory) {
        this.directory = directory;
    }

    /**
     * Takes a whole state.
     *
     * @throws IOException in words for the program's user if this is none
     */
    void take(Path state, long step) throws IOException {
        Path target = path(step);
        try {
            check(state);
            Files.move(state, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no " + e.getFile(), e);
        } catch (AtomicMoveNotSupportedException e) {
            throw new IOException(
                    state + " is on another file system than " + directory + ": write it to ALBM_HANDOVER", e);
        }
        taken.put(step, Fingerprint.of(target));
    }

    private static void check(Path state) throws IOException {
        var _ = Fingerprint.of(state);
        if (Files.isRegularFile(state) && StateArchive.isArchive(state)) {
            throw new IOException("it is an archive of a directory state; unpack it and hand the directory over");
        }
        if (Files.isDirectory(state)) {
            StateArchive.requireNames(state);
        }
    }

    /**
     * Saves a state to a file: a file by a second name, a directory as an archive.
     *
     * @throws IOException if it cannot be, or was written to after it was handed over
     */
    StateFile save(long step, Path file) throws IOException {
        Path state = path(step);
        checkUnchanged(step, state);
        StateFile saved =
                Files.isDirectory(state) ? StateFile.write(file, StateArchive.of(state)) : StateFile.link(state, file);
        checkUnchanged(step, state);
        return saved;
    }

    private void checkUnchanged(long step, Path state) throws IOException {
        if (!Fingerprint.of(state).equals(taken.get(step))) {
            throw new IOException("the state of step " + step + " was written to after it was handed over;"
                    + " close it first, and write each state to a new file");
        }
    }

    void drop(long step) throws IOException {
        taken.remove(step);
        Trees.delete(path(step));
    }

    private Path path(long step) {
        return directory.resolve(Long.toString(step));
    }
}
