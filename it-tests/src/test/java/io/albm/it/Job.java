// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A running or ended {@code albm job run --json}. */
record Job(Process process, Path out, Path err) {
    private static final Pattern HASH = Pattern.compile(": step [0-9]+ sha256 ([0-9a-f]{64})");

    /**
     * Starts one.
     *
     * @param directory in which it runs, and where its words go
     * @param interval between checkpoints
     * @param rank what each rank runs
     * @param options of {@code job run} beside those that every job here has
     */
    static Job start(
            Path directory,
            String zooKeeper,
            String cluster,
            String name,
            int ranks,
            String interval,
            List<String> rank,
            String... options)
            throws IOException {
        Path out = Files.createTempFile(directory, name, ".out");
        Path err = Files.createTempFile(directory, name, ".err");
        List<String> command =
                new ArrayList<>(List.of("job", "run", "--json", "--name", name, "--ranks", Integer.toString(ranks)));
        command.addAll(List.of("--interval", interval, "--zookeeper", zooKeeper, "--cluster", cluster));
        command.addAll(List.of(options));
        command.add("--");
        command.addAll(rank);
        return new Job(Albm.in(directory).start(out, err, command.toArray(String[]::new)), out, err);
    }

    List<JsonNode> events(String name) throws IOException {
        return Stream.of(Files.readString(out))
                .flatMap(String::lines)
                .filter(line -> line.endsWith("}"))
                .map(Json::tree)
                .filter(event -> event.path("event").asText().equals(name))
                .toList();
    }

    String text() throws IOException {
        return Files.readString(out) + Files.readString(err);
    }

    List<Long> pids() throws IOException {
        List<Long> pids = new ArrayList<>();
        events("started").getLast().path("pids").forEach(pid -> pids.add(pid.asLong()));
        return pids;
    }

    long lastCheckpoint() throws IOException {
        return events("checkpoint").stream()
                .mapToLong(event -> event.path("number").asLong())
                .max()
                .orElse(0);
    }

    Job awaitCheckpointAfter(long number) {
        await().failFast(() -> assertThat(process.isAlive()).as(text()).isTrue())
                .until(() -> lastCheckpoint() > number);
        return this;
    }

    int awaitExit() {
        await().until(() -> !process.isAlive());
        return process.exitValue();
    }

    List<String> printed() throws IOException {
        return events("output").stream()
                .map(event -> event.path("text").asText())
                .toList();
    }

    /** What a rank printed of its result. */
    String hash() throws IOException {
        return hash(printed().stream());
    }

    static String hash(Stream<String> lines) {
        return lines.map(HASH::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElse("no hash was printed");
    }
}
