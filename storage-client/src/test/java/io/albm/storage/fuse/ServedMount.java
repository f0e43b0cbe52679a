// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A mounted file system with a process of its own. A page fault on a mapped file stops the whole JVM at its
 * next collection if the same JVM has to serve it.
 */
final class ServedMount implements AutoCloseable {
    /** What the process says when it has mounted. */
    static final String READY = "mounted";

    private final Process process;
    private final Path directory;

    private ServedMount(Process process, Path directory) {
        this.process = process;
        this.directory = directory;
    }

    /** Serves a file system in main memory. */
    static ServedMount start(Path directory) throws IOException {
        return start(MemoryMount.class, directory);
    }

    /** @param server whose main method takes the directory and serves */
    static ServedMount start(Class<?> server, Path directory) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        server.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        while (line != null && !line.equals(READY)) {
            line = out.readLine();
        }
        if (line == null) {
            throw new IOException("the process that serves " + directory + " ended");
        }
        return new ServedMount(process, directory);
    }

    /** Ends the process at once, as SIGKILL does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Unmounts as an administrator does. @return the exit code of the process, which ends by itself then */
    int unmount() throws IOException, InterruptedException {
        new ProcessBuilder("umount", directory.toString()).inheritIO().start().waitFor();
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new IOException("the process lives on after its mount on " + directory);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        Libc.call("umount2", directory.toString(), SystemCalls.MNT_DETACH);
        kill();
    }
}
