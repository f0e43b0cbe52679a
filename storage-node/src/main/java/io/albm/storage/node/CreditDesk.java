// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.Credit;
import io.albm.storage.Sender;
import io.albm.storage.StripeGeometry;
import io.albm.storage.WriteRate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may send blocks to an I/O node, and when: flow control by the receiver. A sender asks for credit, and sends what it
 * was granted. So whatever the number of senders, what is on its way to the node and in its memory is bounded, and what they
 * cannot send yet waits in their memory and not in a network's buffers.
 *
 * <p><b>Bound.</b> Credit is out from its grant until the block that used it is written, or it ends unused. All that is out is
 * at most the node's memory for it; of background work, at most a quarter.
 *
 * <p><b>Order.</b> Senders take turns ({@link CreditQueue}), each with one ask at a time. Nobody is passed over for another's
 * smaller ask. While foreground and background work both wait, the latter is granted a fifth.
 *
 * <p><b>Ahead.</b> While nobody waits, a sender whose block was written is granted as much again, so that who goes on sending need
 * not ask; at most half of the memory is out without being used.
 *
 * <p><b>Rate.</b> For as long as somebody has set one, senders share it ({@link PacedGrants}): each is granted a block in a turn, and
 * told at which part of the rate to send it. It has no other turn until that has ended and the block has nearly come: its stream has one rate. Nothing is granted ahead meanwhile.
 *
 * <p><b>End.</b> Credit that is not used within {@link Credit#NODE_NANOS}, or whose sender leaves, is granted to others. A block
 * that comes without credit is taken while nobody waits and at most a quarter of the memory is out.
 *
 * <p>Time comes from outside, in nanoseconds of a {@link io.albm.core.time.MonotonicClock}. What may be granted is collected by
 * {@link #grants}. Not thread-safe.
 */
final class CreditDesk {
    /** The least memory: a block of any size fits. */
    static final long LEAST_MEMORY = 16 << 20;

    /** One in so many bytes of the memory is for background work, and for blocks without credit. */
    static final int SMALL_SHARE = 4;

    /** One in so many bytes may be out without being used, before nobody gets more ahead. */
    static final int AHEAD_SHARE = 2;

    /** Bytes that foreground work is granted for each of background work, while both wait. */
    static final int FOREGROUND_WEIGHT = 4;

    /** How often somebody has to look what has ended. */
    static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final double PACE_HEADROOM = 1.03;

    /** Nothing ends and nothing begins by itself. */
    static final long NEVER = Long.MAX_VALUE;

    private final long memory;
    private final CreditCounters counters;
    private final Map<Sender, CreditAccount> accounts = new HashMap<>();
    private final CreditQueue foreground = new CreditQueue();
    private final CreditQueue background = new CreditQueue();
    private long out;
    private long backgroundOut;
    private long unused;
    private long movedAt;

    /** Bytes that background work has to be granted before foreground work is, at most the largest block. */
    private long owed;

    private @Nullable PacedGrants pace;
    private long paceEnd;
    private long pacedBytesPerSecond;

    /**
     * What a sender may send now.
     *
     * @param bytesPerSecond at which rate, 0 for any
     */
    record Grant(Sender sender, int bytes, long bytesPerSecond) {}

    /**
     * How it is.
     *
     * @param out bytes that were granted and are not written yet
     * @param unused bytes of these that have not come
     * @param waiting senders
     * @param bytesPerSecond at which it grants at most, 0 for any
     */
    record Status(long out, long unused, int waiting, long bytesPerSecond) {}

    /** @param memory most bytes that are out, at least {@link #LEAST_MEMORY} */
    CreditDesk(long memory, CreditCounters counters) {
        if (memory < LEAST_MEMORY) {
            throw new IllegalArgumentException("memory of " + memory + " bytes: expected at least " + LEAST_MEMORY);
        }
        this.memory = memory;
        this.counters = counters;
    }

    /**
     * A sender waits for credit, until it is granted or the sender leaves. Of two asks of one sender the last one counts.
     *
     * @param first what its first block takes: all that it is granted in a turn while there is a rate. Larger turns would have
     *     nodes that grant to the same sender wait for it the longer
     */
    void ask(Sender sender, int bytes, int first, long now) {
        int wanted = pace(now) == null ? bytes : first;
        queue(sender).put(accounts.computeIfAbsent(sender, CreditAccount::new), wanted, now);
    }

    /** A sender that waits would not hear of a grant before it asks again. */
    void pause(Sender sender, long now) {
        CreditAccount account = accounts.get(sender);
        if (account != null) {
            queue(sender).pause(account, now);
        }
    }

    /** What can be granted now, which is herewith. */
    List<Grant> grants(long now) {
        List<Grant> grants = new ArrayList<>();
        pace(now);
        for (CreditAccount next = next(); next != null && isGranted(next, now); next = next()) {
            grants.add(grant(next, now));
        }
        return grants;
    }

    private @Nullable CreditAccount next() {
        CreditAccount urgent = foreground.first();
        CreditAccount patient = background.first();
        if (patient == null || !fitsShare(patient)) {
            return urgent;
        }
        return urgent == null || owed >= patient.wanted ? patient : urgent;
    }

    private boolean fitsShare(CreditAccount patient) {
        return backgroundOut == 0 || backgroundOut + patient.wanted <= memory / SMALL_SHARE;
    }

    private boolean isGranted(CreditAccount next, long now) {
        return fits(next.wanted) && isPaid(next.sender(), next.wanted, now);
    }

    private Grant grant(CreditAccount next, long now) {
        int bytes = next.wanted;
        long bytesPerSecond = told(bytes, charge(next.sender(), bytes, now));
        next.isPaced = bytesPerSecond > 0;
        next.expect(next.isPaced ? bytes : 0);
        queue(next.sender()).remove(next);
        Grant grant = new Grant(next.sender(), bytes, bytesPerSecond);
        owe(grant);
        give(next, bytes, now);
        return grant;
    }

    private void owe(Grant grant) {
        if (grant.sender().background()) {
            owed = Math.max(0, owed - grant.bytes());
        } else if (background.size() > 0) {
            owed = Math.min(StripeGeometry.MAX_UNIT_BYTES, owed + grant.bytes() / FOREGROUND_WEIGHT);
        }
    }

    private void give(CreditAccount account, int bytes, long now) {
        account.credit.add(bytes, now);
        unused += bytes;
        take(account.sender(), bytes, now);
    }

    private void take(Sender sender, int bytes, long now) {
        out += bytes;
        backgroundOut += sender.background() ? bytes : 0;
        movedAt = now;
        counters.granted().add(bytes);
    }

    /** @return the sender's part of the rate, 0 if there is none */
    private double charge(Sender sender, int bytes, long now) {
        PacedGrants paced = pace(now);
        if (paced == null) {
            return 0;
        }
        CreditAccount account = accounts.get(sender);
        double part = paced.grant(account, turn(sender, bytes), now);
        if (account != null) {
            account.shares = paced;
            queue(sender).serve(account);
        }
        return part;
    }

    /** A stream that was held up for a while can catch up; and however low the rate is, nobody takes a block for lost that is on its way. */
    private static long told(int bytes, double bytesPerSecond) {
        return bytesPerSecond == 0 ? 0 : Math.max(bytes, (long) (bytesPerSecond * PACE_HEADROOM));
    }

    private PacedGrants.Turn turn(Sender sender, int bytes) {
        CreditAccount account = accounts.get(sender);
        int waiting = foreground.unserved() + (sender.background() ? 1 : 0);
        return new PacedGrants.Turn(bytes, waiting, account == null || account.shares != pace);
    }

    /**
     * A block begins to come, of which nothing is in memory yet.
     *
     * @param bytes what it {@linkplain Credit#cost takes}
     * @return whether it is let in, to be {@linkplain #end ended}
     */
    boolean begin(Sender sender, int bytes, long now) {
        CreditAccount account = accounts.get(sender);
        if (account != null && uses(account, bytes, now)) {
            return true;
        }
        boolean isLetIn = !somebodyWaits() && out + bytes <= memory / SMALL_SHARE && isPaid(sender, bytes, now);
        if (isLetIn) {
            charge(sender, bytes, now);
            take(sender, bytes, now);
        } else {
            counters.refused().increment();
        }
        return isLetIn;
    }

    /** A sender's block that was let in has come, but for so many bytes. */
    void arriving(Sender sender, int missing) {
        CreditAccount account = accounts.get(sender);
        if (account != null) {
            account.arriving(missing);
        }
    }

    /** All of a sender's block has come that was let in, or the rest of it will not. */
    void arrived(Sender sender, long bytes) {
        CreditAccount account = accounts.get(sender);
        if (account != null) {
            account.expectLess(bytes);
        }
    }

    private boolean uses(CreditAccount account, int bytes, long now) {
        expire(account, now);
        boolean isUsed = account.credit.use(bytes);
        if (isUsed) {
            unused -= bytes;
            account.begin(bytes);
        }
        return isUsed;
    }

    /** A block that was let in needs its memory no more. */
    void end(Sender sender, long bytes, long now) {
        out -= bytes;
        backgroundOut -= sender.background() ? bytes : 0;
        movedAt = now;
    }

    /**
     * Grants a sender whose block was written as much again, if nobody else waits. Not while it has to ask at which rate.
     *
     * @return how much, maybe 0
     */
    int ahead(Sender sender, int bytes, long now) {
        CreditAccount account = accounts.get(sender);
        if (account == null || account.isPaced || !isGrantedAhead(sender, bytes, now)) {
            return 0;
        }
        give(account, bytes, now);
        return bytes;
    }

    private boolean isGrantedAhead(Sender sender, int bytes, long now) {
        return !sender.background()
                && !somebodyWaits()
                && unused + bytes <= memory / AHEAD_SHARE
                && fits(bytes)
                && pace(now) == null;
    }

    /** A sender has gone, with all that it was granted or waits for. */
    void leave(Sender sender, long now) {
        CreditAccount account = accounts.remove(sender);
        if (account != null) {
            queue(sender).remove(account);
            free(account, account.credit.clear(), now);
            account.expectLess(Long.MAX_VALUE);
        }
    }

    /** A sender has gone if it has no credit and waits for none. @return whether it has */
    boolean leaveIfIdle(Sender sender, long now) {
        CreditAccount account = accounts.get(sender);
        if (account == null) {
            return true;
        }
        expire(account, now);
        boolean isIdle = account.wanted == 0 && account.credit.bytes() == 0 && account.outstanding() <= 0;
        return isIdle && accounts.remove(sender, account);
    }

    /** Ends what is over; to be done every {@link #LOOK_NANOS}. */
    void expire(long now) {
        foreground.expire(now);
        background.expire(now);
        accounts.values().forEach(account -> expire(account, now));
    }

    private void expire(CreditAccount account, long now) {
        free(account, account.credit.expire(now), now);
    }

    private void free(CreditAccount account, long bytes, long now) {
        if (bytes > 0) {
            account.expectLess(bytes);
            unused -= bytes;
            counters.expired().add(bytes);
            end(account.sender(), bytes, now);
        }
    }

    /** Grants at most at this rate from now on, as long as it lasts. What was granted before counts. */
    void pace(WriteRate rate, long now) {
        PacedGrants before = pace(now);
        if (rate.bytesPerSecond() == 0) {
            unpace();
        } else if (before == null) {
            pace = new PacedGrants(rate.bytesPerSecond(), rate.fanOut());
            foreground.beginAt(rate.phase());
        } else {
            before.change(rate.bytesPerSecond(), rate.fanOut());
        }
        pacedBytesPerSecond = rate.bytesPerSecond();
        paceEnd = now + rate.lasts().toNanos();
    }

    private @Nullable PacedGrants pace(long now) {
        if (pace != null && paceEnd - now <= 0) {
            unpace();
        }
        if (pace != null) {
            pace.released(now).forEach(this::release);
        }
        return pace;
    }

    private void unpace() {
        if (pace != null) {
            pace.end().forEach(this::release);
            pace = null;
        }
    }

    private void release(CreditAccount account) {
        queue(account.sender()).free(account);
    }

    boolean isPaced(long now) {
        return pace(now) != null;
    }

    private long bytesPerSecond(long now) {
        return pace(now) == null ? 0 : pacedBytesPerSecond;
    }

    private boolean isPaid(Sender sender, int bytes, long now) {
        PacedGrants paced = pace(now);
        return paced == null || paced.waitNanos(turn(sender, bytes), now) == 0;
    }

    /** How many nanoseconds from now somebody has to {@linkplain #expire look} and {@linkplain #grants grant}. */
    long nanosToTurn(long now) {
        PacedGrants paced = pace(now);
        CreditAccount next = next();
        if (next != null && fits(next.wanted) && paced != null) {
            return Math.min(paced.waitNanos(turn(next.sender(), next.wanted), now), paceEnd - now);
        }
        if (next == null && foreground.served() + background.served() > 0 && paced != null) {
            return Math.min(paced.nanosToRelease(now), paceEnd - now);
        }
        return unused > 0 || foreground.size() + background.size() > 0 ? LOOK_NANOS : NEVER;
    }

    /** For how long somebody has waited for memory while none came free; 0 if it is not that what is waited for. */
    long stuckNanos(long now) {
        return memoryIsWaitedFor() ? now - movedAt : 0;
    }

    private boolean memoryIsWaitedFor() {
        CreditAccount next = next();
        return next == null ? background.first() != null : !fits(next.wanted);
    }

    Status status(long now) {
        return new Status(out, unused, foreground.size() + background.size(), bytesPerSecond(now));
    }

    private boolean fits(int bytes) {
        return out + bytes <= memory;
    }

    /** Background work that waits for its own blocks to be written keeps nobody waiting. */
    private boolean somebodyWaits() {
        return foreground.size() > 0 || next() != null;
    }

    private CreditQueue queue(Sender sender) {
        return sender.background() ? background : foreground;
    }
}
