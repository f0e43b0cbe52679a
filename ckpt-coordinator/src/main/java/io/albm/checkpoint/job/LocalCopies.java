// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.albm.checkpoint.control.RestoredState;
import io.albm.checkpoint.control.StateCopies;
import io.albm.checkpoint.control.StoredStates;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.savings.PageSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The directory of a job on a host: ranks' states on their way to the striped store and back, and copies of others. */
public final class LocalCopies {
    private static final String SAVED = "saved";
    private static final String RESTORED = "restored";

    private final Path directory;
    private final Path saved;
    private final Path restored;
    private final PartnerDirectory partner;

    LocalCopies(Path directory) throws IOException {
        this.directory = directory;
        saved = Files.createDirectories(directory.resolve(SAVED));
        restored = Files.createDirectories(directory.resolve(RESTORED));
        partner = new PartnerDirectory(directory);
    }

    /** How the copies of a rank's state are called. */
    static String name(long checkpoint, int rank) {
        return checkpoint + "-" + rank;
    }

    /** Where a rank writes its state, in the directory of its job on its host. */
    public static Path saved(Path directory, long checkpoint, int rank) {
        return directory.resolve(SAVED).resolve(name(checkpoint, rank));
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

    /** Copies of other hosts' states. */
    PartnerDirectory partner() {
        return partner;
    }

    /**
     * Reads what another host asks for.
     *
     * @param directory of the job on this host
     * @return fewer bytes than wanted only at the end
     * @throws NoSuchFileException if the rank has neither saved this checkpoint here nor a copy
     */
    public static byte[] read(Path directory, CopyRange range) throws IOException {
        Path saved = saved(directory, range.checkpoint(), range.rank());
        Path copy = Files.exists(saved) ? saved : PartnerDirectory.newest(directory, range.rank());
        try (FileChannel file = FileChannel.open(copy)) {
            byte[] bytes = new byte[range.length()];
            int count = PageSource.of(file).read(range.offset(), bytes, bytes.length);
            return Arrays.copyOf(bytes, count);
        }
    }

    /**
     * Puts a rank's state together: what a local copy of any checkpoint has is taken from there, then what partner copies
     * have; only the rest is fetched.
     *
     * @param goesOn false when nobody wants it any more: nothing more is written then, and this fails
     */
    RestoredState restore(RestoreOrder order, StoredStates states, CopyLink link, BooleanSupplier goesOn)
            throws IOException {
        StoredUnit unit = order.unit();
        Path file = restored(unit.rank());
        List<FileChannel> opened = new ArrayList<>();
        try (FileChannel target = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, READ, WRITE)) {
            List<PageSource> local = open(of(saved, unit.rank()), opened);
            List<PageSource> copies = open(partner.of(unit.rank()), opened);
            Optional.ofNullable(order.keeper())
                    .ifPresent(keeper -> copies.add(
                            new RemoteCopy(link, keeper, unit.own().id().checkpoint(), unit.rank())));
            return states.restore(unit, target, new StateCopies(local, copies), goesOn);
        } finally {
            for (FileChannel copy : opened) {
                copy.close();
            }
        }
    }

    private static List<PageSource> open(List<Path> copies, List<FileChannel> opened) throws IOException {
        List<PageSource> sources = new ArrayList<>();
        for (Path copy : copies) {
            opened.add(FileChannel.open(copy));
            sources.add(PageSource.of(opened.getLast()));
        }
        return sources;
    }

    /** A rank's copies in a directory, the newest first; there are two at most, but after a crash. */
    static List<Path> of(Path directory, int rank) throws IOException {
        return list(directory).stream()
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

    static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
