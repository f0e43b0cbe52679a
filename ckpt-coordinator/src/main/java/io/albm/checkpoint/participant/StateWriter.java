// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.participant;

import java.io.IOException;
import java.io.OutputStream;

/** Writes all that a rank needs to go on from its present step. */
@FunctionalInterface
public interface StateWriter {
    /** Writes the state; the stream is buffered, and closed by the caller. */
    void write(OutputStream out) throws IOException;
}
