// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/**
 * A writer's right to write, as a number: every I/O node and the file table remember the highest epoch they have seen in a
 * scope and refuse lower ones, so that a leader that was paused and deposed cannot write, replace or delete any more.
 *
 * @param scope what the epoch counts, such as a job's id; 1 to 100 of {@code a-z 0-9 . _ -}, starting with a letter or digit
 * @param epoch the fencing token, at least 0
 */
public record Fence(String scope, long epoch) {
    public Fence {
        if (!scope.matches("[a-z0-9][a-z0-9._-]{0,99}")) {
            throw new IllegalArgumentException("fence scope '" + scope
                    + "': expected 1 to 100 of a-z, 0-9, '.', '_', '-', a letter or digit first");
        }
        if (epoch < 0) {
            throw new IllegalArgumentException("fence epoch " + epoch + ": expected at least 0");
        }
    }
}
