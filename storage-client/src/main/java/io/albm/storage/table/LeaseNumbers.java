// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

/**
 * Which recalls and grants a client's session has heard of from one leader, and what that one knows of it. Not thread-safe.
 */
final class LeaseNumbers {
    private final String client;
    private final long epoch;
    /** Of the last recall, and of the last lease that was given. */
    private long recalls;

    private long grants;
    /** The recalls, and the grants that are given back, by which all is sent that was changed here. */
    private long confirmed;

    private long returned;
    /** The grants that are not taken any more. */
    private long refused;
    /** What the leader has heard of {@link #confirmed} and {@link #returned}. */
    private long confirmedThere;

    private long returnedThere;

    /**
     * What the leader may be told when all is sent that was changed here by now.
     *
     * @param recalls those that were heard of
     * @param returned grants that are given back
     */
    record Obeyed(LeaseNumbers of, long recalls, long returned) {}

    LeaseNumbers(String client, long epoch) {
        this.client = client;
        this.epoch = epoch;
    }

    String client() {
        return client;
    }

    long epoch() {
        return epoch;
    }

    /** The last lease that was heard of. */
    Grant last() {
        return new Grant(epoch, grants);
    }

    /** A notice has come, from this leader. @return whether it tells of a recall that was not heard of */
    boolean hear(LeaseNotice notice) {
        grants = Math.max(grants, notice.grants());
        boolean isNew = notice.recalls() > recalls;
        recalls = Math.max(recalls, notice.recalls());
        return isNew;
    }

    /** Whether the lease in a notice may be taken. */
    boolean isCurrent(LeaseNotice notice) {
        return notice.recalls() >= recalls && notice.grants() > refused;
    }

    /** @param oldest the grant of the oldest lease that is here; a higher number than all if there is none */
    Obeyed obeyed(long oldest) {
        refused = Math.max(refused, Math.min(grants, oldest - 1));
        return new Obeyed(this, recalls, refused);
    }

    /** Whether the leader may be told that already. */
    boolean isConfirmed(Obeyed obeyed) {
        return confirmed >= obeyed.recalls() && returned >= obeyed.returned();
    }

    /** All that was changed here then is sent. */
    void confirm(Obeyed obeyed) {
        confirmed = Math.max(confirmed, obeyed.recalls());
        returned = Math.max(returned, obeyed.returned());
    }

    boolean isConfirmed() {
        return confirmed >= recalls;
    }

    TableCall.Lease call(long settled, long directory) {
        return new TableCall.Lease(client, epoch, confirmed, returned, settled, directory);
    }

    /** A call was answered by this leader. */
    void told(TableCall.Lease call) {
        if (call.client().equals(client) && call.epoch() == epoch) {
            confirmedThere = Math.max(confirmedThere, call.confirmed());
            returnedThere = Math.max(returnedThere, call.returned());
        }
    }

    /** Whether the leader may wait to hear of recalls, or of leases that are not here. */
    boolean isUntold() {
        return confirmedThere < recalls || returnedThere < grants;
    }
}
