// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import com.fasterxml.jackson.core.type.TypeReference;
import io.albm.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The ranks that this node has started, on disk: a supervisor that was killed left them to its successor to kill. */
final class RankTable {
    private final Path file;

    RankTable(Path directory) {
        this.file = directory.resolve("ranks.json");
    }

    void write(List<RankProcess.Identity> ranks) throws IOException {
        Path next = file.resolveSibling("ranks.json.next");
        Files.write(next, Json.bytes(ranks));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Kills what is left of an earlier supervisor's ranks; returns how many there were, all seen dead. */
    int killLeftOvers() throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        List<RankProcess.Identity> alive =
                Json.read(Files.readAllBytes(file), new TypeReference<List<RankProcess.Identity>>() {}).stream()
                        .filter(RankProcess.Identity::isAlive)
                        .toList();
        alive.forEach(rank -> rank.killIfAlive().join());
        return alive.size();
    }
}
