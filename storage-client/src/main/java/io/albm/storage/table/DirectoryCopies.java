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
import java.util.function.Consumer;
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
    private final WorkPlaces work = new WorkPlaces();
    private final FoundFiles found = new FoundFiles();
    /** Requests under way that may touch something, and those that do not. */
    private final Set<Asked> changes = new HashSet<>();

    private final Set<Asked> questions = new HashSet<>();
    private LeaseNumbers numbers = new LeaseNumbers("", 0);
    private boolean leased;
    /** Leases that were asked for before are not taken: a change had failed by then. */
    private @Nullable Long notBefore;

    /** Until when the table is not asked for numbers. */
    private @Nullable Long nothingReservedUntil;

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
        if (answer != null) {
            used = now;
            found.answered(query, answer.answer());
        }
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
        long inode = isDot(lookup) ? KnownNames.UNKNOWN : known.lookUp(lookup.parent(), lookup.name());
        if (inode == KnownNames.UNKNOWN || isTouched(change -> change.touchesName(name))) {
            return null;
        }
        return inode == KnownNames.ABSENT ? absent(lookup) : get(inode);
    }

    private static boolean isDot(TableQuery.Lookup lookup) {
        return lookup.name().equals(".") || lookup.name().equals("..");
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
            TableCommand<?> command, Instant time, long now, Consumer<WriteBehind.Made> sender) {
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
        sender.accept(new WriteBehind.Made(numbers.client(), time, numbers.last(), done.command()));
        found.answered(command, done.answer());
        return new TableOutcome(done.answer(), null, null);
    }

    /** Whether a change under way may touch the same. */
    private boolean isTouchedWith(TouchedNames own) {
        return own.names().stream().anyMatch(name -> isTouched(change -> change.touchesName(name)))
                || own.inodes().stream().anyMatch(inode -> isTouched(change -> change.touchesInode(inode)));
    }

    /** Whether {@link #change} lacks but what is set aside, see {@link TableCommand.Reserve}. */
    synchronized boolean needsReserved(TableCommand<?> command, long now) {
        lapse(now);
        return leased
                && (nothingReservedUntil == null || now - nothingReservedUntil >= 0)
                && sole.needsReserved(command);
    }

    /**
     * The directory whose attributes {@link #change} lacks, as is so after a change in it that the leader had to make; 0 if none.
     */
    synchronized long lackedDirectory(TableCommand<?> command, long now) {
        lapse(now);
        return leased ? sole.lackedDirectory(command) : 0;
    }

    /** The table is about to be asked to set more aside: what there was before is used no more. */
    synchronized void reserving() {
        sole.forgetReserved();
    }

    /** The client's session, for {@link #reserved}. */
    synchronized String client() {
        return numbers.client();
    }

    /** The table has set something aside for a session of the client. */
    synchronized void reserved(String forClient, TableAnswer.Reserved reserved) {
        if (forClient.equals(numbers.client())) {
            sole.give(reserved);
        }
    }

    /** The table sets nothing aside. */
    synchronized void notReserved(long now) {
        nothingReservedUntil = now + PAUSE.toNanos();
    }

    /** Changes that were made here cannot be sent: what is here is not what the table says. */
    synchronized void lost(long now) {
        known.clear();
        leased = false;
        notBefore = now;
    }

    /** Whether it pays to ask for a lease on a directory in which a name is looked up. */
    synchronized boolean wantsLease(long directory, long now) {
        lapse(now);
        boolean isOwn = known.isSole(directory) && known.inode(directory) != null;
        return !isOwn && work.wantsLease(directory, now);
    }

    /** The directory on which it pays to ask for a lease when an inode is asked about; 0 if there is none. */
    synchronized long workPlace(TableQuery.Get get, long now) {
        lapse(now);
        long directory = found.asked(get.inode(), now);
        if (directory == 0 || known.isCopied(directory)) {
            return 0;
        }
        work.seen(directory, now);
        return work.wantsLease(directory, now) ? directory : 0;
    }

    /** How to look up a name of a directory that is leased; null if it is not, or nothing can be learned of the name now. */
    synchronized TableQuery.@Nullable LookAhead lookAhead(TableQuery.Lookup lookup, long now) {
        lapse(now);
        TouchedNames.Name name = new TouchedNames.Name(lookup.parent(), lookup.name());
        return isDot(lookup) || isTouched(change -> change.touchesName(name))
                ? null
                : known.lookAhead(lookup.parent(), lookup.name());
    }

    /** What a look-up would have been answered that was sent in this way. */
    static TableOutcome found(TableQuery.Lookup lookup, TableAnswer.Entries found) {
        return found.entries().stream()
                .findFirst()
                .filter(entry -> entry.name().equals(lookup.name()))
                .map(entry -> new TableOutcome(new TableAnswer.Known(entry.inode()), null, null))
                .orElseGet(() -> absent(lookup));
    }

    private static TableOutcome absent(TableQuery.Lookup lookup) {
        return TableOutcome.refused(Reason.NO_ENTRY, "'" + lookup.name() + "': no such name");
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
        if (reply.epoch() > numbers.epoch()) {
            begin(numbers.client(), reply.epoch());
        }
        TableAnswer answer = reply.outcome().answer();
        found.answered(asked.request, answer);
        switch (asked.request) {
            case TableCommand<?> command
            when answer != null -> {
                made(asked, command, answer, reply.lease(), now);
                if (command instanceof TableCommand.Unlink unlink) {
                    work.seen(unlink.parent(), now);
                }
            }
            case TableQuery.Lookup lookup
            when answer instanceof TableAnswer.Known looked -> learn(asked, looked.inode(), lookup.parent());
            case TableQuery.Get get
            when answer instanceof TableAnswer.Known looked -> learn(asked, looked.inode(), home(get.inode()));
            case TableQuery.Lookup lookup
            when reply.outcome().refused() == Reason.NO_ENTRY -> work.seen(lookup.parent(), now);
            case TableQuery.LookAhead ahead
            when answer instanceof TableAnswer.Entries found -> learn(asked, ahead, found);
            default -> {}
        }
    }

    private void learn(Asked asked, Inode inode, long home) {
        if (!asked.met(change -> change.touchesInode(inode.number()))) {
            known.learn(inode, home, asked.since);
        }
    }

    /** A directory of whose copy one knows that the file has a name there; 0 if there is none. */
    private long home(long inode) {
        TouchedNames.Name name = found.name(inode);
        return name != null && known.inodeOf(name.directory(), name.name()) == inode ? name.directory() : 0;
    }

    private void learn(Asked asked, TableQuery.LookAhead ahead, TableAnswer.Entries found) {
        if (!asked.met(change -> change.mayTouchUnknown(ahead.parent(), known))) {
            known.learn(ahead, found, asked.since);
        }
        found.entries().forEach(entry -> learn(asked, entry.inode(), ahead.parent()));
    }

    private void made(
            Asked asked, TableCommand<?> command, TableAnswer answer, @Nullable LeaseNotice notice, long now) {
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
                give(asked, changed.inode().number(), notice, now);
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
        work.refused(directory, now);
    }

    /**
     * What to tell the leader.
     *
     * @param self the name of the client's session
     * @param directory of which a lease is wanted; 0 to wait for recalls
     */
    synchronized TableCall.Lease call(String self, long settled, long directory) {
        if (!self.equals(numbers.client())) {
            sole.forgetReserved();
            begin(self, 0);
        }
        return numbers.call(settled, directory);
    }

    /** Leases of another session or leadership are over: a leader waits for no changes under leases that it has not given. */
    private void begin(String client, long epoch) {
        numbers = new LeaseNumbers(client, epoch);
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
        numbers.told(call);
        long end = sent + TERM.toNanos();
        boolean isLonger = !leased || end - until > 0;
        // Who asks here waits until the leases end that there were when the recall was sent.
        if (numbers.isConfirmed() && (notBefore == null || sent - notBefore >= 0) && end - now > 0 && isLonger) {
            leased = true;
            until = end;
        }
    }

    /** Obeys recalls. @return whether this is about the leases that there are now */
    private boolean obey(LeaseNotice notice, long now) {
        if (!notice.client().equals(numbers.client()) || notice.epoch() < numbers.epoch()) {
            return false;
        }
        if (notice.epoch() > numbers.epoch()) {
            begin(notice.client(), notice.epoch());
        }
        if (numbers.hear(notice)) {
            for (long directory : notice.recalled()) {
                known.drop(directory);
                work.refused(directory, now);
            }
        }
        return true;
    }

    /** What the leader may be told when all is sent that was changed here by now. What is given back is not taken any more. */
    synchronized LeaseNumbers.Obeyed obeyed() {
        return numbers.obeyed(known.oldestGrant());
    }

    /** Whether the leader may be told that already. */
    synchronized boolean isConfirmed(LeaseNumbers.Obeyed obeyed) {
        return obeyed.of().isConfirmed(obeyed);
    }

    /** All that was changed here then is sent. */
    synchronized void confirm(LeaseNumbers.Obeyed obeyed) {
        obeyed.of().confirm(obeyed);
    }

    /** The leader has answered whether there is a lease on a directory. */
    synchronized void answered(Asked asked, long directory, LeaseNotice notice, long now) {
        end(asked);
        lapse(now);
        used = now;
        give(asked, directory, notice, now);
        if (notice.directory() == null) {
            work.refused(directory, now);
        }
    }

    private void give(Asked asked, long directory, @Nullable LeaseNotice notice, long now) {
        if (notice != null
                && obey(notice, now)
                && notice.directory() != null
                && leased
                && numbers.isCurrent(notice)
                && !asked.met(change -> change.touchesDirectory(directory))) {
            known.put(directory, notice.grants(), notice.names(), notice.sole());
            if (!asked.met(change -> change.touchesInode(directory))
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
        return !known.isEmpty() || numbers.isUntold();
    }

    /** Forgets all that is here. */
    synchronized void clear() {
        known.clear();
    }
}
