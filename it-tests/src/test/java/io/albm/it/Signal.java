// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import java.io.IOException;

/** What is sent to a process. */
enum Signal {
    /** It ends, and the kernel closes its connections. */
    KILL,
    /** It is asked to end. */
    TERM,
    /** It does nothing more, and its connections stay. */
    STOP,
    /** It goes on after {@link #STOP}. */
    CONT;

    void to(long pid) {
        if (!isTaken(pid)) {
            throw new AssertionError("SIG" + name() + " to " + pid + " was refused");
        }
    }

    /** As above, to a process that somebody else may end meanwhile. */
    void toIfThere(long pid) {
        if (!isTaken(pid) && ProcessHandle.of(pid).isPresent()) {
            throw new AssertionError("SIG" + name() + " to " + pid + " was refused");
        }
    }

    private boolean isTaken(long pid) {
        try {
            return new ProcessBuilder("kill", "-" + name(), Long.toString(pid))
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
