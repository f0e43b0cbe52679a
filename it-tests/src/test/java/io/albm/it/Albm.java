// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The launcher as a user calls it: arguments, environment and working directory in; exit code and text out. */
final class Albm {
    private static final Duration BOUND = Duration.ofMinutes(3);

    static {
        rehearse();
    }

    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();
    private Path checkout = home();

    /**
     * What a command did.
     *
     * @param exitCode of the process
     * @param out standard output
     * @param err standard error
     */
    record Result(int exitCode, String out, String err) {
        /** What it said on standard error, its last word first: of a test's failure some show one line. */
        String lastWords() {
            return err.lines().reduce((_, last) -> last).orElse("") + "\n" + err;
        }
    }

    private Albm(Path directory) {
        this.directory = directory;
    }

    /** Has all JARs rehearse their start, as a user's first command does: later ones take half the processor time, and say nothing of it. */
    private static void rehearse() {
        try {
            int code = new ProcessBuilder(home().resolve("albm").toString(), "build")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("albm build: exit status " + code);
            }
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs commands in that working directory, where {@code .albm/} will be. */
    static Albm in(Path directory) {
        return new Albm(directory);
    }

    /** The checkout. */
    static Path home() {
        return Path.of(System.getProperty("albm.home", "..")).toAbsolutePath().normalize();
    }

    /** Another checkout than the one under test. */
    Albm of(Path checkout) {
        this.checkout = checkout;
        return this;
    }

    Albm with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Runs a command to its end, or kills it after three minutes. */
    Result run(String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(directory, "out", ".txt");
        Path err = Files.createTempFile(directory, "err", ".txt");
        Process process = start(out, err, arguments);
        if (!process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("albm " + String.join(" ", arguments) + " did not end; stderr: " + read(err));
        }
        return new Result(process.exitValue(), take(out), take(err));
    }

    /** Starts a command that goes on. As from a terminal: a suite in the background hands down an ignored SIGINT. */
    Process start(Path out, Path err, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("env", "--default-signal=INT", checkout.resolve("albm").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static String take(Path file) throws IOException {
        String text = read(file);
        Files.delete(file);
        return text;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
