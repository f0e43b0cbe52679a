// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

/** The pack of new pages that a rank wrote in a checkpoint: a name that is never used twice. */
public record PackId(long checkpoint, int rank) {
    @Override
    public String toString() {
        return "rank " + rank + " of checkpoint " + checkpoint;
    }
}
