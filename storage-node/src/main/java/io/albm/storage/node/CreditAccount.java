// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.Credit;
import io.albm.storage.Sender;

/** What a node knows of one sender. Not thread-safe. */
final class CreditAccount {
    private final Sender sender;

    /** What it was granted and has not sent. */
    final Credit credit = new Credit(Credit.NODE_NANOS);

    /** What it waits for, 0 if for nothing. */
    int wanted;

    /** What it has saved up of the rounds that went over it while it waited. */
    long deficit;

    /** Whether it would hear of a grant now: between two of its calls it would not, and keeps its place. */
    boolean listens;

    long heardAt;

    /** Whether it was told a rate with what it was granted last. */
    boolean isPaced;

    /** Parts of the rate that it has; it has no turn meanwhile. */
    int parts;

    CreditAccount(Sender sender) {
        this.sender = sender;
    }

    Sender sender() {
        return sender;
    }
}
