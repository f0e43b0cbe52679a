// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

/**
 * The last lease that a client was given by then: whatever it changed by itself, it changed under leases up to this one.
 *
 * @param epoch of the leader that gave it
 * @param number as that leader counts what it gives to the client
 */
public record Grant(long epoch, long number) implements Comparable<Grant> {
    /** What a client says that does not know of it. */
    static final Grant NONE = new Grant(0, 0);

    @Override
    public int compareTo(Grant other) {
        return epoch == other.epoch ? Long.compare(number, other.number) : Long.compare(epoch, other.epoch);
    }

    static Grant later(Grant one, Grant other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
