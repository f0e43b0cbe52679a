// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.albm.checkpoint.control.StoredStates;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.savings.PageSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The directory of a job on a host: ranks' states on their way to the striped store and back. */
public final class LocalCopies {
    private static final String SAVED = "saved";
    private static final String RESTORED = "restored";

    private final Path directory;
    private final Path saved;
    private final Path restored;

    LocalCopies(Path directory) throws IOException {
        this.directory = directory;
        saved = Files.createDirectories(directory.resolve(SAVED));
        restored = Files.createDirectories(directory.resolve(RESTORED));
    }

    /** Where a rank writes its state, in the directory of its job on its host. */
    public static Path saved(Path directory, long checkpoint, int rank) {
        return directory.resolve(SAVED).resolve(checkpoint + "-" + rank);
    }

    /** Where a rank finds the state that it goes on from. */
    public static Path restored(Path directory, int rank) {
        return directory.resolve(RESTORED).resolve("rank-" + rank);
    }

    /** Where a rank writes its state. */
    Path saved(long checkpoint, int rank) {
        return saved(directory, checkpoint, rank);
    }

    /** Where a rank finds the state that it goes on from. */
    Path restored(int rank) {
        return restored(directory, rank);
    }

    /**
     * Puts a rank's state together: what a local copy of any checkpoint has is taken from there, only the rest is fetched.
     *
     * @return SHA-256 of the bytes that the rank will read
     */
    String restore(StoredUnit unit, StoredStates states) throws IOException {
        Path file = restored(unit.rank());
        List<FileChannel> opened = new ArrayList<>();
        try (FileChannel target = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, READ, WRITE)) {
            for (Path copy : savedBy(unit.rank())) {
                opened.add(FileChannel.open(copy));
            }
            return states.restore(
                    unit, target, opened.stream().map(PageSource::of).toList());
        } finally {
            for (FileChannel copy : opened) {
                copy.close();
            }
        }
    }

    /** The newest first; there are two at most, but after a crash. */
    private List<Path> savedBy(int rank) throws IOException {
        return list(saved).stream()
                .filter(file -> file.getFileName().toString().endsWith("-" + rank))
                .sorted(Comparator.comparingLong(LocalCopies::checkpointOf).reversed())
                .toList();
    }

    private static long checkpointOf(Path saved) {
        String name = saved.getFileName().toString();
        return Long.parseLong(name.substring(0, name.indexOf('-')));
    }

    /** Removes the saved states of a checkpoint. */
    void discard(long checkpoint) throws IOException {
        for (Path file : list(saved)) {
            if (file.getFileName().toString().startsWith(checkpoint + "-")) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Removes the saved states of older checkpoints. */
    void discardBefore(long checkpoint) throws IOException {
        for (Path file : list(saved)) {
            if (checkpointOf(file) < checkpoint) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Removes states that an earlier supervisor fetched. */
    void clearRestored() throws IOException {
        for (Path file : list(restored)) {
            Files.deleteIfExists(file);
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
