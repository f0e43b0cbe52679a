// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import io.albm.core.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What {@code .albm/NAME/cluster.json} records while a local cluster is up: enough for another process to find, watch
 * and stop it.
 *
 * @param name of the cluster
 * @param zookeeper its address as {@code host:port}; empty until ZooKeeper is ready
 * @param started when {@code albm up} began
 * @param processes all that were started, whether or not they still run
 */
public record ClusterFile(String name, String zookeeper, Instant started, List<ClusterProcess> processes) {
    private static final String FILE = "cluster.json";

    public ClusterFile {
        processes = List.copyOf(processes);
    }

    /** The record of a cluster which is up, or was not stopped in good order. */
    public static Optional<ClusterFile> read(Path directory) {
        try {
            return Optional.of(Json.read(Files.readAllBytes(directory.resolve(FILE)), ClusterFile.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those of its processes which still run. */
    public List<ClusterProcess> alive() {
        return alive(processes);
    }

    static List<ClusterProcess> alive(Collection<ClusterProcess> processes) {
        return processes.stream()
                .filter(process -> process.identity().isAlive())
                .toList();
    }

    /** Replaces the record as a whole: a reader sees the old or the new one. */
    public void write(Path directory) throws IOException {
        Path next = directory.resolve(FILE + ".next");
        Files.writeString(next, Json.pretty(this) + "\n");
        Files.move(next, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static void delete(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(FILE));
    }
}
