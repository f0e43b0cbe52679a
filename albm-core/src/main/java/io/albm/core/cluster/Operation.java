// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

/** One step of a {@linkplain CoordinationStore#commit commit}. */
@SuppressWarnings("ArrayRecordComponent") // handed to the directory once, never compared
public sealed interface Operation {
    /** Stands for "whatever the version is". */
    int ANY = -1;

    /** Relative to the cluster's root, starts with a slash. */
    String path();

    /**
     * Fails with {@link CoordinationException.NodeExists} if the node is there. Missing parents are made first, and stay.
     *
     * @param ephemeral the node goes with this process's session
     */
    record Create(String path, byte[] data, boolean ephemeral) implements Operation {}

    /** Replaces the content if the version is the given one (or {@link #ANY}). */
    record Set(String path, byte[] data, int version) implements Operation {}

    /** Removes a node without children. */
    record Delete(String path, int version) implements Operation {}

    /** Changes nothing, but fails the commit unless the node is there with this version (or {@link #ANY}). */
    record Check(String path, int version) implements Operation {}
}
