// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal.Reason;
import io.albm.storage.TableRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a client may answer by itself: names in directories that it has leases on, and the inodes that these cover. Others change
 * such a directory only when the lease is over, and the client's own changes are followed from their answers. What a change of
 * its own that is not answered yet may touch, it does not answer. Where a lease is sole, it makes simple changes by itself, too,
 * and sends them later.
 *
 * <p>An answer of the leader is believed about what is leased if the lease was there before the question was sent, still
 * is, and no change of its own was under way in between. Of what the leader gives, only what is no older than the last recall
 * that was heard of, and was not given back by then, is taken.
 *
 * <p>No I/O; times are monotonic, in nanoseconds, and come from the caller. A look-up costs O(own changes under way), a change O(requests under way). Thread-safe.
 */
final class DirectoryCopies {
    /** From before a lease was asked for; the rest of the leader's term is for clocks that do not run alike. */
    static final Duration TERM = DirectoryLeases.TERM.minusMillis(100);

    /** What is changed here has to reach the leader while the lease lasts, by the second try at the latest. */
    private static final Duration TIME_TO_SEND = DirectoryLeases.TERM.dividedBy(2);

    /** Where there are no numbers for inodes, there will be none for a while. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /** Leases that nobody makes use of are not kept. */
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final KnownNames known = new KnownNames();
    private final SoleChanges sole = new SoleChanges(known);
    private final AbsentNames absent = new AbsentNames();
    /** Requests under way that may touch something, and those that do not. */
    private final Set<Asked> changes = new HashSet<>();

    private final Set<Asked> questions = new HashSet<>();
    private String client = "";
    private long epoch;
    private long recalls;
    /** The number of the last lease that the leader says to have given. */
    private long grants;

    /** The recalls by which all is sent that was changed before. */
    private long confirmed;
    /** The grants up to which none is here or is taken any more, and those by which all is sent that was changed, too. */
    private long refused;

    private long returned;
    /** What the leader has heard of these two. */
    private long confirmedThere;

    private long returnedThere;
    private boolean leased;
    /** Leases that were asked for before are not taken: a change had failed by then. */
    private @Nullable Long notBefore;

    /** Until when the table is not asked for numbers. */
    private @Nullable Long noNumbersUntil;

    private long until;
    private long used;

    /** A request that is not answered yet. */
    static final class Asked {
        private final TableRequest<?> request;
        private final TouchedNames own;
        private final long since;
        private final List<TouchedNames> meanwhile = new ArrayList<>();

        private Asked(TableRequest<?> request, TouchedNames own, long since) {
            this.request = request;
            this.own = own;
            this.since = since;
        }

        private boolean met(Predicate<TouchedNames> change) {
            return meanwhile.stream().anyMatch(change);
        }
    }

    /** The answer to a question; null if the leader has to be asked. */
    synchronized @Nullable TableOutcome answer(TableQuery<?> query, long now) {
        lapse(now);
        TableOutcome answer = switch (query) {
            case TableQuery.Lookup lookup -> lookup(lookup);
            case TableQuery.Get get -> get(get.inode());
            default -> null;
        };
        used = answer == null ? used : now;
        return answer;
    }

    private void lapse(long now) {
        if (leased && until - now <= 0) {
            leased = false;
            known.clear();
        }
    }

    private @Nullable TableOutcome lookup(TableQuery.Lookup lookup) {
        TouchedNames.Name name = new TouchedNames.Name(lookup.parent(), lookup.name());
        boolean isDot = lookup.name().equals(".") || lookup.name().equals("..");
        long inode = isDot ? KnownNames.UNKNOWN : known.inodeOf(lookup.parent(), lookup.name());
        if (inode == KnownNames.UNKNOWN || isTouched(change -> change.touchesName(name))) {
            return null;
        }
        return inode == KnownNames.ABSENT
                ? TableOutcome.refused(Reason.NO_ENTRY, "'" + lookup.name() + "': no such name")
                : get(inode);
    }

    private @Nullable TableOutcome get(long number) {
        Inode inode = known.inode(number);
        return inode == null || isTouched(change -> change.touchesInode(number))
                ? null
                : new TableOutcome(new TableAnswer.Known(inode), null, null);
    }

    private boolean isTouched(Predicate<TouchedNames> change) {
        return changes.stream().map(asked -> asked.own).anyMatch(change);
    }

    /**
     * Makes a change here, if that is for this client to do.
     *
     * @param time of the change
     * @param sender gets the change as it has to be sent, in the order in which changes were made
     * @return the answer; null if the leader has to make it
     */
    synchronized @Nullable TableOutcome change(
            TableCommand<?> command, Instant time, long now, BiConsumer<Instant, TableCommand<?>> sender) {
        lapse(now);
        TouchedNames own = TouchedNames.by(command, known);
        if (!leased || until - now < TIME_TO_SEND.toNanos() || isTouchedWith(own)) {
            return null;
        }
        SoleChanges.Done done = sole.apply(command, time);
        if (done == null) {
            return null;
        }
        used = now;
        changes.forEach(change -> change.meanwhile.add(own));
        questions.forEach(question -> question.meanwhile.add(own));
        sender.accept(time, done.command());
        return new TableOutcome(done.answer(), null, null);
    }

    /** Whether a change under way may touch the same. */
    private boolean isTouchedWith(TouchedNames own) {
        return own.names().stream().anyMatch(name -> isTouched(change -> change.touchesName(name)))
                || own.inodes().stream().anyMatch(inode -> isTouched(change -> change.touchesInode(inode)));
    }

    /** Whether {@link #change} lacks but numbers for inodes. */
    synchronized boolean needsNumbers(TableCommand<?> command, long now) {
        lapse(now);
        return leased && (noNumbersUntil == null || now - noNumbersUntil >= 0) && sole.needsNumbers(command);
    }

    /** The client's session, for {@link #reserved}. */
    synchronized String client() {
        return client;
    }

    /** The table has set numbers aside for a session of the client. */
    synchronized void reserved(String forClient, TableAnswer.Reserved numbers) {
        if (forClient.equals(client)) {
            sole.give(numbers);
        }
    }

    /** The table gives no numbers. */
    synchronized void notReserved(long now) {
        noNumbersUntil = now + PAUSE.toNanos();
    }

    /** Changes that were made here cannot be sent: what is here is not what the table says. */
    synchronized void lost(long now) {
        known.clear();
        leased = false;
        notBefore = now;
    }

    /** Whether it pays to ask for a lease on a directory in which a name is looked up. */
    synchronized boolean wantsLease(long directory, long now) {
        return absent.wantsLease(directory, now);
    }

    /** A request is about to be sent; {@link #answered} or {@link #failed} follow. */
    synchronized Asked begin(TableRequest<?> request) {
        Asked asked = new Asked(request, TouchedNames.by(request, known), known.copies());
        changes.forEach(change -> asked.meanwhile.add(change.own));
        if (asked.own.isNothing()) {
            questions.add(asked);
        } else {
            changes.forEach(change -> change.meanwhile.add(asked.own));
            questions.forEach(question -> question.meanwhile.add(asked.own));
            changes.add(asked);
        }
        return asked;
    }

    private void end(Asked asked) {
        changes.remove(asked);
        questions.remove(asked);
    }

    /** A request was answered or refused. */
    synchronized void answered(Asked asked, TableReply reply, long now) {
        end(asked);
        lapse(now);
        TableAnswer answer = reply.outcome().answer();
        switch (asked.request) {
            case TableCommand<?> command when answer != null -> made(asked, command, answer, reply.lease());
            case TableQuery.Lookup lookup
            when answer instanceof TableAnswer.Known found -> learn(asked, found.inode(), lookup.parent());
            case TableQuery.Get _ when answer instanceof TableAnswer.Known found -> learn(asked, found.inode(), 0);
            case TableQuery.Lookup lookup
            when reply.outcome().refused() == Reason.NO_ENTRY -> absent.missed(lookup.parent(), now);
            default -> {}
        }
    }

    private void learn(Asked asked, Inode inode, long home) {
        if (!asked.met(change -> change.touchesInode(inode.number()))) {
            known.learn(inode, home, asked.since);
        }
    }

    private void made(Asked asked, TableCommand<?> command, TableAnswer answer, @Nullable LeaseNotice notice) {
        for (TouchedNames.Name name : asked.own.names()) {
            if (asked.met(change -> change.touchesName(name))) {
                known.drop(name.directory());
            }
        }
        known.follow(command, answer);
        switch (answer) {
            case TableAnswer.Known changed -> {
                long home = home(command, known.forget(changed.inode().number()));
                forget(asked.own);
                learn(asked, changed.inode(), home);
                give(asked, changed.inode().number(), notice);
            }
            case TableAnswer.Published changed -> {
                long home = known.forget(changed.inode().number());
                forget(asked.own);
                learn(asked, changed.inode(), home);
            }
            case TableAnswer.Freed freed
            when command instanceof TableCommand.Unlink && freed.inode() != null -> {
                asked.own.inodes().forEach(known::forget);
                known.forget(freed.inode().number());
            }
            default -> forget(asked.own);
        }
    }

    private static long home(TableCommand<?> command, long before) {
        return switch (command) {
            case TableCommand.Make make -> make.parent();
            case TableCommand.Link link -> link.parent();
            default -> before;
        };
    }

    private void forget(TouchedNames touched) {
        if (touched.everything()) {
            known.clear();
        } else if (touched.anyInode()) {
            known.forgetInodes();
        } else {
            touched.inodes().forEach(known::forget);
        }
    }

    /** A request has failed. A change may be made yet: only leases that are asked for from now on are safe from it. */
    synchronized void failed(Asked asked, long now) {
        end(asked);
        if (asked.request instanceof TableCommand) {
            lost(now);
        }
    }

    /** No lease was to be had. */
    synchronized void failed(Asked asked, long directory, long now) {
        failed(asked, now);
        absent.refused(directory, now);
    }

    /**
     * What to tell the leader.
     *
     * @param self the name of the client's session
     * @param directory of which a lease is wanted; 0 to wait for recalls
     */
    synchronized TableCall.Lease call(String self, long settled, long directory) {
        if (!self.equals(client)) {
            begin(self, 0);
        }
        return new TableCall.Lease(client, epoch, confirmed, returned, settled, directory);
    }

    /** Leases of another session or leadership are over. */
    private void begin(String newClient, long newEpoch) {
        if (!newClient.equals(client)) {
            sole.forgetNumbers();
        }
        client = newClient;
        epoch = newEpoch;
        recalls = 0;
        grants = 0;
        confirmed = 0;
        refused = 0;
        returned = 0;
        confirmedThere = 0;
        returnedThere = 0;
        leased = false;
        known.clear();
    }

    /**
     * The leader has answered a {@link #call}.
     *
     * @param sent when it was sent
     */
    synchronized void heard(TableCall.Lease call, LeaseNotice notice, long sent, long now) {
        lapse(now);
        if (!obey(notice, now)) {
            return;
        }
        if (call.client().equals(client) && call.epoch() == epoch) {
            confirmedThere = Math.max(confirmedThere, call.confirmed());
            returnedThere = Math.max(returnedThere, call.returned());
        }
        long end = sent + TERM.toNanos();
        boolean isLonger = !leased || end - until > 0;
        // Who asks here waits until the leases end that there were when the recall was sent.
        boolean isConfirmed = confirmed >= recalls;
        if (isConfirmed && (notBefore == null || sent - notBefore >= 0) && end - now > 0 && isLonger) {
            leased = true;
            until = end;
        }
    }

    /**
     * What the leader may be told when all is sent that was changed here by now. What is given back is not taken any more.
     *
     * @param recalls those that were heard of
     * @param grants those that are given back
     */
    record Obeyed(String client, long epoch, long recalls, long grants) {}

    synchronized Obeyed obeyed() {
        refused = Math.max(refused, known.oldestGrant(grants + 1) - 1);
        return new Obeyed(client, epoch, recalls, refused);
    }

    /** All that was changed here then is sent. */
    synchronized void confirm(Obeyed obeyed) {
        if (obeyed.client().equals(client) && obeyed.epoch() == epoch) {
            confirmed = Math.max(confirmed, obeyed.recalls());
            returned = Math.max(returned, obeyed.grants());
        }
    }

    /** Obeys recalls. @return whether this is about the leases that there are now */
    private boolean obey(LeaseNotice notice, long now) {
        if (!notice.client().equals(client) || notice.epoch() < epoch) {
            return false;
        }
        if (notice.epoch() > epoch) {
            begin(client, notice.epoch());
        }
        grants = Math.max(grants, notice.grants());
        if (notice.recalls() > recalls) {
            recalls = notice.recalls();
            for (long directory : notice.recalled()) {
                known.drop(directory);
                absent.refused(directory, now);
            }
        }
        return true;
    }

    /** The leader has answered whether there is a lease on a directory. */
    synchronized void answered(Asked asked, long directory, LeaseNotice notice, long now) {
        end(asked);
        lapse(now);
        used = now;
        give(asked, directory, notice);
        if (notice.names() == null) {
            absent.refused(directory, now);
        }
    }

    private void give(Asked asked, long directory, @Nullable LeaseNotice notice) {
        if (notice == null || !notice.client().equals(client) || notice.epoch() != epoch) {
            return;
        }
        grants = Math.max(grants, notice.grants());
        if (notice.names() != null
                && leased
                && notice.recalls() >= recalls
                && notice.grants() > refused
                && !asked.met(change -> change.touchesDirectory(directory))) {
            known.put(directory, notice.grants(), notice.names(), notice.sole());
            if (notice.directory() != null
                    && !asked.met(change -> change.touchesInode(directory))
                    && !isTouched(change -> change.touchesInode(directory))) {
                known.learn(notice.directory(), 0, known.copies());
            }
        }
    }

    /** Whether the leader has to be heard: it may recall what is here, or wait to hear of recalls, or of leases that are not here. */
    synchronized boolean hasToListen(long now) {
        lapse(now);
        if (now - used >= IDLE.toNanos()) {
            known.clear();
        }
        return !known.isEmpty() || confirmedThere < recalls || returnedThere < grants;
    }

    /** Forgets all that is here. */
    synchronized void clear() {
        known.clear();
    }
}
