// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.annotation.JsonValue;

/** How a process of the cluster is. */
public enum ProcessState {
    /** Serves, and has nothing to say. */
    UP("up", true),
    /** Serves, and says that something is amiss. */
    WARNING("warning", true),
    /** Says that it must not get work. */
    NOT_READY("not ready", false),
    /** Is announced or runs, but does not answer on its admin port. */
    SILENT("silent", false),
    /** Was started here and does not run any more. */
    GONE("gone", false);

    private final String text;
    private final boolean serving;

    ProcessState(String text, boolean serving) {
        this.text = text;
        this.serving = serving;
    }

    /** Whether the cluster is whole as far as this process goes. */
    boolean serving() {
        return serving;
    }

    @JsonValue
    @Override
    public String toString() {
        return text;
    }
}
