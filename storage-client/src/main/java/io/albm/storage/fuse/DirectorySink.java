// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/** Takes the entries of a directory, as many as one answer holds. */
public interface DirectorySink {
    /**
     * Takes an entry if there is room.
     *
     * @param cookie where to go on behind this entry, not 0; comes back as the position of a later call
     * @return false if there was no room: the entry was not taken, and none will be in this answer
     */
    boolean add(String name, Attributes attributes, long cookie);

    /** Whether each entry that is taken, but for {@code .} and {@code ..}, counts as a lookup of its inode. */
    boolean countsAsLookup();
}
