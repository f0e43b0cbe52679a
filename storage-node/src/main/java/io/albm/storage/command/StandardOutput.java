// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.io.OutputStream;
import java.io.PrintStream;

/** Standard output for the bytes of a file: fails at the first that it does not take, of which {@link System#out} says nothing. */
final class StandardOutput extends OutputStream {
    private final PrintStream out = System.out;
    private final String path;

    /** @param path the file, which a failure names */
    StandardOutput(String path) {
        this.path = path;
    }

    @Override
    public void write(int octet) {
        out.write(octet);
        check();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        out.write(bytes, offset, length);
        check();
    }

    /** Flushes, too. */
    private void check() {
        if (out.checkError()) {
            throw new CliException(ExitCode.FAILED, path + ": standard output takes no more");
        }
    }
}
