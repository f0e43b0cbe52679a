// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The part of the striped store that checkpoints need. Futures fail with {@link LostDataException} if the bytes are
 * gone for good, and with anything else if they cannot be reached now: only the first is a reason to fall back to an
 * older checkpoint. Thread-safe.
 */
public interface CheckpointFiles {
    /** Writes a small new file; durable when done. Replaces one of the same name and epoch. */
    CompletableFuture<Void> write(String path, byte[] content);

    /** Reads a small file. */
    CompletableFuture<byte[]> read(String path);

    /** Lengths in bytes of all complete files with this prefix, by path. */
    CompletableFuture<Map<String, Long>> list(String prefix);

    /** Removes a file; a missing one is no error. */
    CompletableFuture<Void> delete(String path);
}
