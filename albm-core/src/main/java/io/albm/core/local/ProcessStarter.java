// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Starts processes and waits for their READY lines. Each gets a session of its own, so that neither the terminal's
 * Ctrl-C nor its end reaches it; its output goes to files, so that it can outlive whoever started it.
 */
final class ProcessStarter {
    private static final String READY = "READY ";
    private static final int LOG_LINES_SHOWN = 5;
    private static final TypeReference<Map<String, NodeAddress>> ENDPOINTS = new TypeReference<>() {};

    private final Installation installation;
    private final Path directory;

    ProcessStarter(Installation installation, Path directory) {
        this.installation = installation;
        this.directory = directory;
    }

    ClusterProcess start(ProcessSpec spec) throws IOException {
        Path jar = installation.jar(spec.role());
        if (!Files.exists(jar)) {
            throw new CliException(ExitCode.FAILED, "'" + jar + "' is missing: './albm build' makes it");
        }
        Path temporary = Files.createDirectories(directory.resolve("tmp"));
        Path log = Files.createDirectories(directory.resolve("log")).resolve(spec.id() + ".log");
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(installation.command(spec, temporary));
        Process process = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(readyFile(spec.id()).toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        // A process that has ended already gets start ticks that match nothing.
        long startTicks = ProcessIdentity.of(process.pid())
                .map(ProcessIdentity::startTicks)
                .orElse(-1L);
        return new ClusterProcess(spec.id(), spec.role(), process.pid(), startTicks, Map.of(), log.toString());
    }

    /** The process with the endpoints of its READY line. */
    ClusterProcess awaitReady(ClusterProcess process, Duration bound) {
        boolean decided = Shutdown.awaitUntil(
                () -> readyLine(process.id()).isPresent() || !process.identity().isAlive(), bound);
        return readyLine(process.id()).map(line -> withEndpoints(process, line)).orElseThrow(() -> {
            String what = decided ? "ended before it was ready" : "was not ready within " + bound.toSeconds() + " s";
            return new CliException(ExitCode.FAILED, process.id() + " " + what + "; " + lastWords(process));
        });
    }

    private Path readyFile(String id) {
        return directory.resolve("log").resolve(id + ".out");
    }

    private Optional<String> readyLine(String id) {
        try (Stream<String> lines = Files.lines(readyFile(id))) {
            return lines.filter(line -> line.startsWith(READY) && line.endsWith("}"))
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static ClusterProcess withEndpoints(ClusterProcess process, String line) {
        JsonNode ready = Json.tree(line.substring(READY.length()));
        Map<String, NodeAddress> endpoints = Json.read(Json.bytes(ready.path("endpoints")), ENDPOINTS);
        return new ClusterProcess(
                process.id(), process.role(), process.pid(), process.startTicks(), endpoints, process.log());
    }

    private static String lastWords(ClusterProcess process) {
        try {
            List<String> lines = Files.readAllLines(Path.of(process.log()));
            return lines.isEmpty()
                    ? "its log " + process.log() + " is empty"
                    : "the end of " + process.log() + ":\n"
                            + lines.stream()
                                    .skip(Math.max(0, lines.size() - LOG_LINES_SHOWN))
                                    .map(line -> "  " + line)
                                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return "its log " + process.log() + " cannot be read";
        }
    }
}
