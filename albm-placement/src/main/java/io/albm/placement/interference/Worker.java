// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import io.albm.core.cgroup.LimitedGroup;
import io.albm.core.proc.ProcFile;
import io.albm.core.proc.ProcText;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process on a {@link LimitedGroup}: a small JVM that runs one of this package's mains. It joins the node before it
 * becomes a JVM, so that every page it touches is the node's. It ends when its standard input does, and so cannot
 * outlive the experiment.
 */
final class Worker implements AutoCloseable {
    private static final String JOIN_AND_RUN = "echo $$ > \"$0\" && exec \"$@\"";
    private static final byte[] READ_BYTES = ProcText.label("rchar:");

    private final Process process;
    private final BufferedReader answers;
    private final BufferedWriter requests;
    private final ProcFile io;

    private Worker(Process process) throws IOException {
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.US_ASCII);
        this.requests = process.outputWriter(StandardCharsets.US_ASCII);
        this.io = ProcFile.open(Path.of("/proc", Long.toString(process.pid()), "io"));
    }

    /** Starts {@code main} on the node; {@link #answer()} waits until it has something to say. */
    static Worker start(LimitedGroup node, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", JOIN_AND_RUN));
        command.add(node.members().toString());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Ten of these share a gigabyte: no compiler or collector threads that a counting loop does not need.
        command.addAll(List.of("-Xmx16m", "-Xss256k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new Worker(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The next line that the process prints. */
    String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IOException("a process of the experiment ended early, with status " + status());
        }
        return line;
    }

    private String status() throws IOException {
        try {
            return Integer.toString(process.waitFor());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Sends a request and waits for the answer. */
    String ask(String request) throws IOException {
        requests.write(request);
        requests.newLine();
        requests.flush();
        return answer();
    }

    /** Bytes that the process has read, from whatever. */
    long readBytes() throws IOException {
        return io.require(io.read().numberAfter(READ_BYTES), "rchar");
    }

    /** CPU time that the process has used. */
    Duration cpuTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        io.close();
        process.onExit().join();
    }
}
