// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.participant;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Takes the named parts of a rank's state. For one thread, and only while the writer that got it runs. */
public interface StateParts {
    /**
     * Adds a file's content as it is now.
     *
     * @param name of the part, unique in this state; {@link SavedParts} finds it by that
     * @throws IOException if the file cannot be read, or the name is taken; the checkpoint is given up
     */
    void add(String name, Path file) throws IOException;

    /** Adds the remaining bytes of a buffer, as {@link #add(String, Path)}; its position stays. */
    void add(String name, ByteBuffer content) throws IOException;

    /** Writes all parts. */
    @FunctionalInterface
    interface Writer {
        void write(StateParts parts) throws IOException;
    }
}
