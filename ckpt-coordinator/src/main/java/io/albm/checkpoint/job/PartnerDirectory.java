// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.albm.checkpoint.savings.TornStateException;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of states that ranks of other hosts have saved. One state comes at a time, one range of it after the other: that
 * bounds the memory, and leaves the link to others whenever an answer is waited for. Nothing is synced: a copy that a
 * power cut spoilt is found out by its pages' hashes, and a sync would keep ranks waiting that save meanwhile. Blocks.
 */
final class PartnerDirectory {
    private static final Logger log = LoggerFactory.getLogger(PartnerDirectory.class);
    private static final String NAME = "partner";

    private final Path directory;

    /** @param job its directory on this host */
    PartnerDirectory(Path job) throws IOException {
        this.directory = Files.createDirectories(job.resolve(NAME));
    }

    /**
     * The newest copy of a rank.
     *
     * @param job its directory on this host
     * @throws NoSuchFileException if there is none
     */
    static Path newest(Path job, int rank) throws IOException {
        return LocalCopies.of(job.resolve(NAME), rank).stream()
                .findFirst()
                .orElseThrow(() -> new NoSuchFileException("no copy of rank " + rank));
    }

    /** The copies of a rank, the newest first. */
    List<Path> of(int rank) throws IOException {
        return LocalCopies.of(directory, rank);
    }

    /**
     * Fetches what is wanted; then other copies of these ranks, and all of others, go, whatever their numbers: a job of the
     * same name may have been here before. A rank whose copy cannot be had keeps the one before.
     *
     * @param goesOn false when another order has come: no more is fetched, and nothing goes
     * @return the ranks whose copy is here, whole
     */
    Set<Integer> hold(PartnerOrder order, CopyLink link, BooleanSupplier goesOn) throws IOException {
        Set<Integer> held = new TreeSet<>();
        Set<NodeAddress> unreadable = new HashSet<>();
        for (PartnerOrder.Wanted wanted : order.copies()) {
            if (goesOn.getAsBoolean() && !unreadable.contains(wanted.from())) {
                try {
                    take(order.checkpoint(), wanted, link, goesOn);
                    held.add(wanted.rank());
                } catch (TornStateException torn) {
                    log.warn("no partner copy of rank {}: {}", wanted.rank(), torn.getMessage());
                } catch (IOException e) {
                    unreadable.add(wanted.from());
                    log.warn("no more partner copies from {}: {}", wanted.from(), e.getMessage());
                }
            }
        }
        if (goesOn.getAsBoolean()) {
            keepOnly(order, held);
        }
        return held;
    }

    private void take(long checkpoint, PartnerOrder.Wanted wanted, CopyLink link, BooleanSupplier goesOn)
            throws IOException {
        Path file = directory.resolve(LocalCopies.name(checkpoint, wanted.rank()));
        Path incoming = Files.createTempFile(directory, "incoming-", ".tmp");
        try {
            receive(checkpoint, wanted, link, goesOn, incoming);
            Files.move(incoming, file, ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(incoming);
        }
    }

    private static void receive(
            long checkpoint, PartnerOrder.Wanted wanted, CopyLink link, BooleanSupplier goesOn, Path to)
            throws IOException {
        long size = wanted.copy().size();
        CRC32C crc = new CRC32C();
        try (FileChannel file = FileChannel.open(to, WRITE)) {
            for (long at = 0; at < size; at = file.position()) {
                if (!goesOn.getAsBoolean()) {
                    throw new IOException("a newer checkpoint is copied");
                }
                int length = (int) Math.min(CopyRange.MOST_BYTES, size - at);
                byte[] bytes = link.read(wanted.from(), new CopyRange(checkpoint, wanted.rank(), at, length));
                if (bytes.length != length) {
                    throw new TornStateException(
                            bytes.length + " bytes from byte " + at + " on, expected " + length + " of " + size);
                }
                crc.update(bytes);
                ByteBuffer rest = ByteBuffer.wrap(bytes);
                while (rest.hasRemaining()) {
                    file.write(rest);
                }
            }
        }
        if (crc.getValue() != wanted.copy().crc32c()) {
            throw new TornStateException("CRC32C " + crc.getValue() + ", the rank wrote "
                    + wanted.copy().crc32c());
        }
    }

    /** What an order before has left half done goes as well. */
    private void keepOnly(PartnerOrder order, Set<Integer> held) throws IOException {
        Set<Path> kept = new HashSet<>();
        for (PartnerOrder.Wanted wanted : order.copies()) {
            if (held.contains(wanted.rank())) {
                kept.add(directory.resolve(LocalCopies.name(order.checkpoint(), wanted.rank())));
            } else {
                of(wanted.rank()).stream().findFirst().ifPresent(kept::add);
            }
        }
        for (Path file : LocalCopies.list(directory)) {
            if (!kept.contains(file)) {
                Files.deleteIfExists(file);
            }
        }
    }
}
