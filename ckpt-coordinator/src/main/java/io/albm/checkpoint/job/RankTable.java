// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import com.fasterxml.jackson.core.type.TypeReference;
import io.albm.core.json.Json;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The ranks that this node has started, on disk. Their watchers end them when their supervisor or job-host is killed; a
 * successor kills what was left by watchers that were killed, too, and sees that nothing is left.
 */
final class RankTable {
    private final Path directory;
    private final Path file;

    RankTable(Path directory) {
        this.directory = directory;
        this.file = directory.resolve("ranks.json");
    }

    /**
     * Takes the place of the table before. Synced: what is half there after a power loss cannot be read, and no successor
     * starts on a table that it cannot read.
     */
    void write(List<RankFamily> ranks) throws IOException {
        Path next = directory.resolve("ranks.json.next");
        try (FileChannel channel = FileChannel.open(next, CREATE, TRUNCATE_EXISTING, WRITE)) {
            Channels.newOutputStream(channel).write(Json.bytes(ranks));
            channel.force(true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel names = FileChannel.open(directory, READ)) {
            names.force(true);
        }
    }

    /** Kills what is left of an earlier supervisor's ranks; returns how many there were, all seen dead. Blocks. */
    int killLeftOvers() throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        List<CompletableFuture<Boolean>> killed =
                Json.read(Files.readAllBytes(file), new TypeReference<List<RankFamily>>() {}).stream()
                        .map(RankFamily::killLeftOvers)
                        .toList();
        int lived = (int) killed.stream().filter(CompletableFuture::join).count();
        Files.delete(file);
        return lived;
    }
}
