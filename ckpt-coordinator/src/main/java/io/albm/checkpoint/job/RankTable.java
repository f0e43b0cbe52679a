// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import com.fasterxml.jackson.core.type.TypeReference;
import io.albm.core.json.Json;
import java.io.IOException;
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
    private final Path file;

    RankTable(Path directory) {
        this.file = directory.resolve("ranks.json");
    }

    void write(List<RankFamily> ranks) throws IOException {
        Path next = file.resolveSibling("ranks.json.next");
        Files.write(next, Json.bytes(ranks));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
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
