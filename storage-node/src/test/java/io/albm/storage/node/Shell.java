// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.cli.Commands;
import io.albm.storage.command.StorageCommands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Runs storage commands as a shell does, and catches what they print until it is closed. */
final class Shell implements AutoCloseable {
    private final StorageRig rig;
    private final PrintStream stdout = System.out;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();
    private int room = Integer.MAX_VALUE;
    private int refused;

    Shell(StorageRig rig) {
        this.rig = rig;
        replaceOutput();
    }

    private void replaceOutput() {
        System.setOut(new PrintStream(new Bounded(), true, StandardCharsets.UTF_8));
    }

    /** Takes bytes as long as there is room for them. */
    private final class Bounded extends OutputStream {
        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length > room - out.size()) {
                refused++;
                throw new IOException("No space left on device");
            }
            out.write(bytes, offset, length);
        }
    }

    /** Standard output is a disk that takes so many bytes of each command. */
    void leaveRoom(int bytes) {
        room = bytes;
    }

    /** How often the last command wrote what standard output did not take. */
    int refused() {
        return refused;
    }

    /** Runs {@code albm storage} with these arguments on the rig's cluster. @return the exit code */
    int run(String... arguments) {
        out.reset();
        refused = 0;
        replaceOutput(); // one that has refused something keeps that in mind
        err.getBuffer().setLength(0);
        CommandLine line =
                Commands.commandLine(StorageCommands.all(LocalDiskCheck::run).spec());
        line.setErr(new PrintWriter(err, true));
        return line.execute(
                Stream.concat(Stream.of(arguments), Stream.of("--zookeeper", rig.zooKeeper(), "--cluster", "test"))
                        .toArray(String[]::new));
    }

    /** What the last command wrote to standard output. */
    byte[] bytes() {
        return out.toByteArray();
    }

    String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String errors() {
        return err.toString();
    }

    @Override
    public void close() {
        System.setOut(stdout);
    }
}
