// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client by hand, over a table in this process. */
class DirectoryCopiesTest {
    private static final String SELF = "c";
    private static final long TERM = DirectoryCopies.TERM.toNanos();
    private static final int FILE = 0100644;
    private static final int DIRECTORY = 0040755;

    private final TableState table = new TableState(300_000);
    private final DirectoryCopies copies = new DirectoryCopies();
    private long directory;
    private long grants;
    private long now;

    @BeforeEach
    void lease() {
        directory = number(make(Inode.ROOT, "d", DIRECTORY));
        table.apply("other", make(directory, "there", FILE), Instant.EPOCH);
        take(directory);
    }

    private static TableCommand.Make make(long parent, String name, int mode) {
        return new TableCommand.Make(parent, name, mode, 0, 0, 0, null);
    }

    private long number(TableCommand.Make make) {
        return ((TableAnswer.Known) table.apply("other", make, Instant.EPOCH))
                .inode()
                .number();
    }

    private LeaseNotice notice(long epoch, long recalls, List<Long> recalled, @Nullable Map<String, Long> names) {
        grants += names == null ? 0 : 1;
        Inode of = names == null ? null : table.inode(directory);
        return new LeaseNotice(SELF, epoch, recalls, recalled, grants, names, false, of);
    }

    private void hear(LeaseNotice notice, long sent, long at) {
        copies.heard(copies.call(SELF, 5, 0), notice, sent, at);
    }

    private void take(long leased) {
        TableCall.Lease _ = copies.call(SELF, 0, leased);
        DirectoryCopies.Asked asked = copies.begin(new TableQuery.Get(leased));
        give(asked, leased, notice(1, 0, List.of(), table.listing(leased, 1000)));
    }

    private void give(DirectoryCopies.Asked asked, long leased, LeaseNotice notice) {
        hear(notice, now, now);
        copies.answered(asked, leased, notice, now);
    }

    private TableReply reply(TableRequest<?> request) {
        return new TableReply(
                1,
                TableOutcome.of(() -> request instanceof TableCommand<?> command
                        ? table.apply(SELF, command, Instant.EPOCH)
                        : table.answer((TableQuery<?>) request)),
                null);
    }

    private void ask(TableRequest<?> request) {
        DirectoryCopies.Asked asked = copies.begin(request);
        copies.answered(asked, reply(request), now);
    }

    private @Nullable TableOutcome look(String name) {
        return copies.answer(new TableQuery.Lookup(directory, name), now);
    }

    private void isAbsent(String name) {
        assertThat(look(name)).isNotNull().extracting(TableOutcome::refused).isEqualTo(TableRefusal.Reason.NO_ENTRY);
    }

    private Inode known(String name) {
        return Objects.requireNonNull(look(name), name)
                .get(TableAnswer.Known.class)
                .inode();
    }

    @Test
    void answersForNamesThatAreNotThere() {
        isAbsent("absent");
    }

    @Test
    void learnsAttributesFromTheFirstAnswer() {
        assertThat(look("there")).isNull();
        ask(new TableQuery.Lookup(directory, "there"));

        assertThat(known("there").mode()).isEqualTo(FILE);
    }

    @Test
    void followsItsOwnChanges() {
        ask(make(directory, "mine", FILE));
        long inode = known("mine").number();
        ask(new TableCommand.SetAttributes(inode, 0600, null, null, null, null, false));
        assertThat(known("mine").mode()).isEqualTo(0100600);

        ask(new TableCommand.Rename(directory, "mine", directory, "moved", TableCommand.Renaming.REPLACE, false));
        isAbsent("mine");
        ask(new TableQuery.Lookup(directory, "moved"));
        assertThat(known("moved").number()).isEqualTo(inode);

        ask(new TableCommand.Unlink(directory, "moved", false));
        isAbsent("moved");
        assertThat(copies.answer(new TableQuery.Get(inode), now)).isNull();
    }

    @Test
    void ofTwoNamesOfOneInodeBothStayWhenOneIsRenamedToTheOther() {
        ask(make(directory, "one", FILE));
        long inode = known("one").number();
        ask(new TableCommand.Link(inode, directory, "two"));

        ask(new TableCommand.Rename(directory, "one", directory, "two", TableCommand.Renaming.REPLACE, false));

        ask(new TableQuery.Lookup(directory, "one"));
        assertThat(known("one").links()).isEqualTo(2);
        assertThat(known("two").number()).isEqualTo(inode);
    }

    @Test
    void exchangesNames() {
        ask(make(directory, "a", FILE));
        ask(make(directory, "b", FILE));
        long a = known("a").number();
        long b = known("b").number();

        ask(new TableCommand.Rename(directory, "a", directory, "b", TableCommand.Renaming.EXCHANGE, false));

        ask(new TableQuery.Lookup(directory, "a"));
        ask(new TableQuery.Lookup(directory, "b"));
        assertThat(known("a").number()).isEqualTo(b);
        assertThat(known("b").number()).isEqualTo(a);
    }

    @Test
    void doesNotAnswerWhatItsOwnChangeMayTouch() {
        ask(make(directory, "mine", FILE));
        TableCommand.Unlink unlink = new TableCommand.Unlink(directory, "mine", false);
        DirectoryCopies.Asked asked = copies.begin(unlink);

        assertThat(look("mine")).isNull();
        isAbsent("other");
        copies.answered(asked, reply(unlink), now);
        isAbsent("mine");
    }

    @Test
    void doesNotBelieveAnAnswerThatItsOwnChangeOvertook() {
        TableQuery.Lookup lookup = new TableQuery.Lookup(directory, "there");
        DirectoryCopies.Asked asked = copies.begin(lookup);
        TableReply old = reply(lookup);
        ask(new TableCommand.SetAttributes(
                old.outcome().get(TableAnswer.Known.class).inode().number(), 0600, null, null, null, null, false));
        copies.answered(asked, old, now);

        assertThat(look("there")).isNull();
    }

    @Test
    void doesNotBelieveAListingThatItsOwnChangeOvertook() {
        DirectoryCopies.Asked asked = copies.begin(new TableQuery.Get(directory));
        LeaseNotice old = notice(1, 0, List.of(), table.listing(directory, 1000));
        ask(make(directory, "mine", FILE));
        give(asked, directory, old);

        assertThat(known("mine").mode()).isEqualTo(FILE);
    }

    @Test
    void forgetsWhatIsRecalledAndTellsSo() {
        hear(notice(1, 1, List.of(directory), null), now, now);

        assertThat(look("absent")).isNull();
        assertThat(copies.call(SELF, 5, 0)).isEqualTo(new TableCall.Lease(SELF, 1, 0, 0, 5, 0));
        copies.confirm(copies.obeyed());
        assertThat(copies.call(SELF, 5, 0)).isEqualTo(new TableCall.Lease(SELF, 1, 1, 1, 5, 0));
    }

    @Test
    void listensUntilTheLeaderKnowsThatItHasHeardOfARecall() {
        LeaseNotice recall = notice(1, 1, List.of(directory), null);
        hear(recall, now, now);
        assertThat(copies.hasToListen(now)).as("not told yet").isTrue();

        copies.confirm(copies.obeyed());
        hear(notice(1, 1, List.of(), null), now, now);
        assertThat(copies.hasToListen(now)).isFalse();
    }

    @Test
    void doesNotTakeALeaseThatIsOlderThanARecall() {
        DirectoryCopies.Asked asked = copies.begin(new TableQuery.Get(directory));
        LeaseNotice old = notice(1, 0, List.of(), table.listing(directory, 1000));
        hear(notice(1, 1, List.of(directory), null), now, now);
        give(asked, directory, old);

        assertThat(look("absent")).isNull();
    }

    @Test
    void leasesEndWithTheirTermUnlessTheLeaderIsHeard() {
        hear(notice(1, 0, List.of(), null), TERM - 10, TERM - 5);
        now = 2 * TERM - 11;
        isAbsent("absent");
        now = 2 * TERM - 10;
        assertThat(look("absent")).isNull();

        hear(notice(1, 0, List.of(), null), now, now);
        assertThat(look("absent")).as("others may have changed it").isNull();
    }

    @Test
    void leasesEndWithTheirLeaderAndTheirSession() {
        hear(notice(2, 0, List.of(), null), now, now);
        assertThat(look("absent")).isNull();

        hear(notice(1, 0, List.of(), null), now, now);
        DirectoryCopies.Asked asked = copies.begin(new TableQuery.Get(directory));
        give(asked, directory, notice(1, 0, List.of(), Map.of()));
        assertThat(look("absent")).as("of a leader before").isNull();

        give(copies.begin(new TableQuery.Get(directory)), directory, notice(2, 0, List.of(), Map.of()));
        isAbsent("absent");
        TableCall.Lease another = copies.call("c-2", 0, 0);
        assertThat(another.confirmed()).isZero();
        assertThat(look("absent")).isNull();
    }

    @Test
    void anUnclearChangeEndsAllLeases() {
        now = 1;
        copies.failed(copies.begin(make(directory, "unclear", FILE)), now);
        assertThat(look("absent")).isNull();

        DirectoryCopies.Asked asked = copies.begin(new TableQuery.Get(directory));
        LeaseNotice asUsual = notice(1, 0, List.of(), Map.of());
        hear(asUsual, 0, now);
        copies.answered(asked, directory, asUsual, now);
        assertThat(look("absent")).as("asked for before").isNull();

        take(directory);
        isAbsent("absent");
    }

    @Test
    void keepsADirectoryOf100000NamesAndDropsOneOf200000() {
        for (int i = 0; i < 100_000; i++) {
            ask(make(directory, "f" + i, FILE));
        }
        isAbsent("absent");
        for (int i = 100_000; i < KnownNames.MOST_NAMES; i++) {
            ask(make(directory, "f" + i, FILE));
        }
        assertThat(look("absent")).isNull();
    }

    @Test
    void asksForALeaseWhereNamesAreLookedUpInVain() {
        assertThat(copies.wantsLease(Inode.ROOT, now)).isFalse();
        ask(new TableQuery.Lookup(Inode.ROOT, "absent"));
        assertThat(copies.wantsLease(Inode.ROOT, now)).isTrue();

        DirectoryCopies.Asked asked = copies.begin(new TableQuery.Get(Inode.ROOT));
        give(asked, Inode.ROOT, notice(1, 0, List.of(), null));
        assertThat(copies.wantsLease(Inode.ROOT, now)).as("just refused").isFalse();
    }

    @Test
    void leasesThatAreNotUsedAreForgotten() {
        assertThat(copies.hasToListen(now)).isTrue();
        for (int term = 1; term <= 5; term++) {
            hear(notice(1, 0, List.of(), null), now + TERM - 1, now + TERM - 1);
            now += TERM - 1;
        }

        assertThat(copies.hasToListen(now)).as("to give it back").isTrue();
        copies.confirm(copies.obeyed());
        hear(notice(1, 0, List.of(), null), now, now);

        assertThat(copies.hasToListen(now)).isFalse();
        assertThat(look("absent")).isNull();
    }

    /** A lease on the directory without its names. */
    private void takeLarge() {
        LeaseNotice lease = notice(1, 0, List.of(), Map.of());
        give(
                copies.begin(new TableQuery.Get(directory)),
                directory,
                new LeaseNotice(SELF, 1, 0, List.of(), lease.grants(), null, true, lease.directory()));
    }

    private TableQuery.LookAhead ahead(String name) {
        return Objects.requireNonNull(copies.lookAhead(new TableQuery.Lookup(directory, name), now));
    }

    @Test
    void learnsPartsOfALargeDirectory() {
        table.apply("other", make(directory, "zz", FILE), Instant.EPOCH);
        takeLarge();
        assertThat(look("there")).isNull();
        assertThat(look("s")).isNull();
        ask(ahead("s"));

        assertThat(known("there").mode()).isEqualTo(FILE);
        isAbsent("s");
        isAbsent("the");
        assertThat(look("r")).isNull();
        assertThat(look("there2")).isNull();
        ask(ahead("there2"));
        isAbsent("there2");
        isAbsent("z");
    }

    @Test
    void aLookAheadAnswersForItsNameAsALookUp() {
        TableQuery.Lookup lookup = new TableQuery.Lookup(directory, "there");
        TableAnswer.Entries found = (TableAnswer.Entries) table.answer(new TableQuery.LookAhead(directory, "there", 1));
        TableAnswer.Entries behind = (TableAnswer.Entries) table.answer(new TableQuery.LookAhead(directory, "ther", 1));

        assertThat(DirectoryCopies.found(lookup, found)
                        .get(TableAnswer.Known.class)
                        .inode())
                .isEqualTo(found.entries().getFirst().inode());
        assertThat(DirectoryCopies.found(new TableQuery.Lookup(directory, "ther"), behind)
                        .refused())
                .isEqualTo(TableRefusal.Reason.NO_ENTRY);
    }

    @Test
    void learnsNoPartInWhichItsOwnChangeMayHaveGivenOrTakenANameThatItDoesNotKnow() {
        takeLarge();
        TableQuery.LookAhead ahead = ahead("a");
        DirectoryCopies.Asked asked = copies.begin(ahead);
        ask(make(directory, "there", FILE));
        copies.answered(asked, reply(ahead), now);

        assertThat(look("there")).as("it was refused, and is there").isNull();
    }

    @Test
    void whatItsOwnChangeHasTakenIsNotLearnedFromAnOlderPart() {
        takeLarge();
        ask(ahead("a"));
        TableQuery.LookAhead ahead = new TableQuery.LookAhead(directory, "a", 2);
        DirectoryCopies.Asked asked = copies.begin(ahead);
        TableReply old = reply(ahead);
        ask(new TableCommand.Unlink(directory, "there", false));
        copies.answered(asked, old, now);

        isAbsent("there");
    }

    @Test
    void asksForALeaseWhereNamesAreRemoved() {
        assertThat(copies.wantsLease(Inode.ROOT, now)).isFalse();
        table.apply("other", make(Inode.ROOT, "f", FILE), Instant.EPOCH);
        ask(new TableCommand.Unlink(Inode.ROOT, "f", false));

        assertThat(copies.wantsLease(Inode.ROOT, now)).isTrue();
    }

    @Test
    void takesNoLeaseThatItHasGivenBack() {
        DirectoryCopies.Asked asked = copies.begin(new TableQuery.Get(directory));
        LeaseNotice late = notice(1, 0, List.of(), Map.of());
        hear(notice(1, 0, List.of(), null), now, now);
        copies.clear();
        copies.confirm(copies.obeyed());

        give(asked, directory, late);

        assertThat(copies.call(SELF, 5, 0).returned()).isEqualTo(2);
        assertThat(look("absent")).isNull();
        take(directory);
        isAbsent("absent");
    }

    @Test
    void givesBackWhatIsOlderThanAllThatIsHere() {
        take(Inode.ROOT);
        copies.confirm(copies.obeyed());
        assertThat(copies.call(SELF, 5, 0).returned()).isZero();

        ask(new TableCommand.Unlink(directory, "there", false));
        ask(new TableCommand.RemoveDirectory(Inode.ROOT, "d"));
        copies.confirm(copies.obeyed());
        assertThat(copies.call(SELF, 5, 0).returned()).isEqualTo(1);
    }

    @Test
    void whatIsChangedAfterALeaseWasGivenBackIsNotConfirmedWithIt() {
        LeaseNumbers.Obeyed before = copies.obeyed();
        hear(notice(1, 1, List.of(directory), null), now, now);
        copies.confirm(before);

        assertThat(copies.call(SELF, 5, 0)).isEqualTo(new TableCall.Lease(SELF, 1, 0, 0, 5, 0));
    }
}
