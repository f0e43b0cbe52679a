// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.Credit;
import io.albm.storage.Sender;
import org.jspecify.annotations.Nullable;

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

    /** What it had a part of last. */
    @Nullable
    PacedGrants shares;

    /** Whether it was told a rate with what it was granted last. */
    boolean isPaced;

    /** What it was granted at a rate, without blocks that have come. */
    private long expected;

    /** What has come of the block that is coming. */
    private int arrived;

    private int coming;

    /** Parts of the rate that it has; it has no turn meanwhile. */
    int parts;

    CreditAccount(Sender sender) {
        this.sender = sender;
    }

    Sender sender() {
        return sender;
    }

    void expect(int bytes) {
        expected += bytes;
    }

    /** A block begins to come. */
    void begin(int bytes) {
        coming = bytes;
        arrived = 0;
    }

    /** It has come but for so many bytes. */
    void arriving(int missing) {
        arrived = Math.max(0, coming - missing);
    }

    /** So much is not to come any more: it has, or will not. */
    void expectLess(long bytes) {
        expected = Math.max(0, expected - bytes);
        arrived = 0;
    }

    /** What is still to come of what it was granted at a rate, in bytes. */
    long outstanding() {
        return expected - arrived;
    }
}
