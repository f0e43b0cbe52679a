// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cli;

/** Ends a command with an exit code and one line on stderr, which names the input and the way out. */
public final class CliException extends RuntimeException {
    private final int exitCode;

    /**
     * @param exitCode one of {@link ExitCode}
     * @param message one line
     */
    public CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    /** As above, with the cause that {@code --debug} shows. */
    public CliException(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** One of {@link ExitCode}. */
    public int exitCode() {
        return exitCode;
    }
}
