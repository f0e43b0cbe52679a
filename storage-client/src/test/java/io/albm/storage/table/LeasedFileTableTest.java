// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.albm.core.cluster.Operation;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.Content;
import io.albm.storage.FileTable;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.StorageException;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients with leases over real frames, beside others without. */
@Timeout(120)
class LeasedFileTableTest {
    private static final int FILE = 0100644;
    private static final int DIRECTORY = 0040755;
    private static final int SYMBOLIC_LINK = 0120777;

    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger changes = new AtomicInteger();
    private final AtomicInteger syncs = new AtomicInteger();
    /** The sessions that have said to be there, once for each time, and those that have sent what was changed by itself. */
    private final List<String> heard = new CopyOnWriteArrayList<>();

    private final Set<String> senders = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;
    /** Whether what was changed by itself does not arrive. */
    private volatile boolean cutBehind;
    /** By how many epochs a leader is later, or earlier, who seems to have answered changes. */
    private volatile int shift;

    @TempDir
    private Path dir;

    private static TableCommand.Make make(long parent, String name, int mode) {
        return new TableCommand.Make(parent, name, mode, 0, 0, 0, null);
    }

    private LeasedFileTable leased(TableRig rig) {
        return new LeasedFileTable(rig.client(rig.connect(), link -> (node, call, deadline) -> {
            questions.addAndGet(call instanceof TableCall.Ask ? 1 : 0);
            changes.addAndGet(call instanceof TableCall.Change ? 1 : 0);
            syncs.addAndGet(call instanceof TableCall.Sync ? 1 : 0);
            int epochs = call instanceof TableCall.Change ? shift : 0;
            if (call instanceof TableCall.Lease lease) {
                heard.add(lease.client());
            }
            if (call instanceof TableCall.WriteBehind behind) {
                senders.add(behind.client());
            }
            return cut || (cutBehind && call instanceof TableCall.WriteBehind)
                    ? CompletableFuture.failedFuture(new WireException(WireCode.UNAVAILABLE, "cut off"))
                    : link.call(node, call, deadline).thenApply(reply -> epochs == 0 ? reply : shifted(reply, epochs));
        }));
    }

    private static TableReply shifted(TableReply reply, int epochs) {
        return new TableReply(
                reply.position(), reply.position() - 1, reply.epoch() + epochs, reply.outcome(), reply.lease());
    }

    private static Optional<Inode> look(FileTable table, long directory, String name) {
        try {
            return Optional.of(
                    table.ask(new TableQuery.Lookup(directory, name)).join().inode());
        } catch (CompletionException failure) {
            assertThat(failure).hasCauseInstanceOf(TableRefusal.class);
            return Optional.empty();
        }
    }

    /** Looks in vain until that takes no question. */
    private void takeLease(FileTable table, long directory) {
        await().until(() -> {
            int before = questions.get();
            assertThat(look(table, directory, "absent")).isEmpty();
            return questions.get() == before;
        });
    }

    @Test
    void makingFilesTakesNoQuestions() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1");
                LeasedFileTable table = leased(rig)) {
            takeLease(table, Inode.ROOT);
            int before = questions.get();
            for (int i = 0; i < 100; i++) {
                assertThat(look(table, Inode.ROOT, "f-" + i)).isEmpty();
                table.ask(make(Inode.ROOT, "f-" + i, FILE)).join();
                assertThat(look(table, Inode.ROOT, "f-" + i)).isPresent();
            }

            assertThat(questions).hasValue(before);
        }
    }

    @Test
    void aDirectoryThatAClientWithLeasesMakesIsItsOwn() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1");
                LeasedFileTable table = leased(rig)) {
            takeLease(table, Inode.ROOT);
            long made =
                    table.ask(make(Inode.ROOT, "d", DIRECTORY)).join().inode().number();
            int before = questions.get();

            assertThat(look(table, made, "absent")).isEmpty();

            assertThat(questions).hasValue(before);
        }
    }

    @Test
    void whatAnotherHasChangedIsSeenAtOnce() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            takeLease(table, Inode.ROOT);
            Inode made = other.ask(make(Inode.ROOT, "absent", FILE)).join().inode();
            assertThat(look(table, Inode.ROOT, "absent")).map(Inode::number).hasValue(made.number());

            other.ask(new TableCommand.SetAttributes(made.number(), 0600, null, null, null, null, false))
                    .join();
            assertThat(look(table, Inode.ROOT, "absent")).map(Inode::mode).hasValue(0100600);
        }
    }

    /** As somebody does who has the file open, and looks at it after each write. */
    @Test
    void aFileThatIsAskedAboutAgainAndAgainTakesNoQuestions() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long file = madeAndFound(other, table);
            await().until(() -> takesNoQuestion(table, file));

            table.ask(mode(file, 0600)).join();
            int before = questions.get();
            assertThat(mode(table, file)).isEqualTo(0100600);
            assertThat(questions).as("after a change of its own").hasValue(before);
            other.ask(mode(file, 0640)).join();
            assertThat(mode(table, file)).isEqualTo(0100640);
        }
    }

    /** A lease on the directory that a file was in once says nothing of the file. */
    @Test
    void aFileThatHasMovedAwayIsAskedFor() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long file = madeAndFound(other, table);
            long away = other.ask(make(Inode.ROOT, "away", DIRECTORY))
                    .join()
                    .inode()
                    .number();
            other.ask(new TableCommand.Rename(Inode.ROOT, "file", away, "file", TableCommand.Renaming.REPLACE, false))
                    .join();
            takeLease(table, Inode.ROOT);

            for (int mode = 0600; mode < 0610; mode++) {
                other.ask(mode(file, mode)).join();
                assertThat(mode(table, file)).isEqualTo(0100000 | mode);
            }
        }
    }

    /** A file that one makes, and another one finds by its name. */
    private static long madeAndFound(FileTable maker, FileTable finder) {
        maker.ask(make(Inode.ROOT, "file", FILE)).join();
        return look(finder, Inode.ROOT, "file").orElseThrow().number();
    }

    private boolean takesNoQuestion(FileTable table, long file) {
        int before = questions.get();
        assertThat(mode(table, file)).isEqualTo(FILE);
        return questions.get() == before;
    }

    private static int mode(FileTable table, long file) {
        return table.ask(new TableQuery.Get(file)).join().inode().mode();
    }

    private static TableCommand.SetAttributes mode(long file, int mode) {
        return new TableCommand.SetAttributes(file, mode, null, null, null, null, false);
    }

    @Test
    void twoWhoWorkInOneDirectorySeeEachOther() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1");
                LeasedFileTable one = leased(rig);
                LeasedFileTable two = leased(rig)) {
            takeLease(one, Inode.ROOT);
            takeLease(two, Inode.ROOT);
            for (int i = 0; i < 20; i++) {
                FileTable maker = i % 2 == 0 ? one : two;
                FileTable reader = i % 2 == 0 ? two : one;
                assertThat(look(reader, Inode.ROOT, "f-" + i)).isEmpty();
                maker.ask(make(Inode.ROOT, "f-" + i, FILE)).join();
                assertThat(look(reader, Inode.ROOT, "f-" + i)).isPresent();
            }
        }
    }

    @Test
    void othersWaitForTheTermOfAClientThatIsCutOff() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            takeLease(table, Inode.ROOT);
            cut = true;
            other.ask(make(Inode.ROOT, "absent", FILE)).join();
            cut = false;

            assertThat(look(table, Inode.ROOT, "absent")).isPresent();
        }
    }

    @Test
    void whatAClientMakesByItselfIsSeenByOthersAtOnce() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long directory = ownDirectory(table);
            for (int i = 0; i < 50; i++) {
                String name = "f-" + i;
                var made = table.early().ask(make(directory, name, FILE));
                assertThat(made).as("made here").isDone();
                assertThat(look(other, directory, name)).contains(made.join().inode());
                assertThat(look(table, directory, name)).contains(made.join().inode());
                assertThat(table.early().ask(new TableCommand.Unlink(directory, name, false)))
                        .isDone();
                assertThat(other.ask(new TableQuery.Directory(directory, null, 10))
                                .join()
                                .entries())
                        .isEmpty();
            }
            table.sync().join();
        }
    }

    /** Who finds no numbers for inodes asks for some: those who do at the same time must not take them from each other. */
    @Test
    void manyAtATimeLoseNothing() throws Exception {
        int files = 3000;
        try (TableRig rig = new TableRig(dir, "n-1");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long directory = ownDirectory(table);
            FileTable early = table.early();
            try (ExecutorService makers = Executors.newVirtualThreadPerTaskExecutor()) {
                IntStream.range(0, files)
                        .forEach(i -> makers.execute(
                                () -> early.ask(make(directory, "f-" + i, FILE)).join()));
            }
            table.sync().join();

            assertThat(other.ask(new TableQuery.Usage()).join().inodes()).isEqualTo(files + 2);
        }
    }

    /** A directory in which the client makes files by itself. */
    private long ownDirectory(LeasedFileTable table) {
        takeLease(table, Inode.ROOT);
        FileTable early = table.early();
        long directory =
                early.ask(make(Inode.ROOT, "own", DIRECTORY)).join().inode().number();
        early.ask(make(directory, "first", FILE)).join();
        early.ask(new TableCommand.Unlink(directory, "first", false)).join();
        return directory;
    }

    @Test
    void storingShortFilesOfItsOwnTakesFewCalls() throws Exception {
        int files = 3000;
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long directory = ownDirectory(table);
            int before = questions.get() + changes.get();
            for (int i = 0; i < files; i++) {
                Segment segment = Segment.ofInline("%032x".formatted(i), bytes(i));
                Inode made =
                        table.early().ask(make(directory, name(i), FILE)).join().inode();
                table.early().ask(TableHarness.whole(made, segment)).join();
            }
            assertThat(questions.get() + changes.get() - before)
                    .as("calls for %s files", files)
                    .isLessThan(files / 10);

            for (int i = 0; i < files; i += 100) {
                assertThat(look(other, directory, name(i)).orElseThrow().content())
                        .isEqualTo(Content.of(Segment.ofInline("%032x".formatted(i), bytes(i)), 7));
            }
        }
    }

    private static InlineBytes bytes(int first) {
        byte[] content = new byte[InlineBytes.MOST];
        content[0] = (byte) first;
        return new InlineBytes(content);
    }

    /** A directory that another client has filled. */
    private static long largeDirectory(TableRig rig, int files) {
        try (RemoteFileTable other = rig.client()) {
            long directory = other.ask(make(Inode.ROOT, "large", DIRECTORY))
                    .join()
                    .inode()
                    .number();
            CompletableFuture.allOf(IntStream.range(0, files)
                            .mapToObj(i -> other.early().ask(make(directory, name(i), FILE)))
                            .toArray(CompletableFuture[]::new))
                    .join();
            other.sync().join();
            return directory;
        }
    }

    private static String name(int number) {
        return "f-%05d".formatted(number);
    }

    @Test
    void emptyingALargeDirectoryTakesFewCalls() throws Exception {
        int files = 3000;
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long directory = largeDirectory(rig, files);
            for (int i = 0; i < files; i++) {
                assertThat(look(table, directory, name(i))).isPresent();
                table.early()
                        .ask(new TableCommand.Unlink(directory, name(i), false))
                        .join();
            }

            assertThat(questions.get() + changes.get())
                    .as("%s questions, %s changes", questions, changes)
                    .isLessThan(50);
            other.ask(new TableCommand.RemoveDirectory(Inode.ROOT, "large")).join();
        }
    }

    @Test
    void makingFilesInALargeDirectoryTakesFewCalls() throws Exception {
        int files = 3000;
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long directory = largeDirectory(rig, files);
            for (int i = 0; i < files; i++) {
                String name = "%s-new-%05d".formatted(name(files / 2), i);
                assertThat(look(table, directory, name)).isEmpty();
                table.early().ask(make(directory, name, FILE)).join();
            }

            assertThat(questions.get() + changes.get()).isLessThan(files / 10);
            assertThat(look(other, directory, name(files / 2) + "-new-00007")).isPresent();
        }
    }

    @Test
    void whatAClientMadeByItselfComesBeforeItsOtherChanges() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long directory = ownDirectory(table);
            Inode made = table.early().ask(make(directory, "a", FILE)).join().inode();
            table.ask(new TableCommand.Link(made.number(), directory, "b")).join();

            assertThat(look(other, directory, "a")).map(Inode::links).hasValue(2);
        }
    }

    @Test
    void whatAClientMadeByItselfOutlivesTheLeader() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2", "n-3");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long directory = ownDirectory(table);
            for (int i = 0; i < 500; i++) {
                table.early().ask(make(directory, "f-" + i, FILE)).join();
            }
            rig.kill(rig.leader().orElseThrow());

            assertThat(look(other, directory, "f-499")).isPresent();
            table.sync().join();
        }
    }

    @Test
    void whatAnEarlierLeaderAnsweredIsProvenAmongChangesMadeByItself() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig)) {
            long directory = ownDirectory(table);
            table.sync().join();
            shift = -1;
            table.early()
                    .ask(make(Inode.ROOT, "another", DIRECTORY))
                    .thenRun(() -> shift = 0)
                    .join();
            int before = syncs.get();
            AtomicInteger made = new AtomicInteger();

            await().until(() -> {
                table.early()
                        .ask(make(directory, "f-" + made.incrementAndGet(), FILE))
                        .join();
                return syncs.get() > before;
            });

            table.sync().join();
        }
    }

    @Test
    void longSymbolicLinksOfItsOwnFitIntoTransactions() throws Exception {
        int links = 600;
        byte[] target = "t".repeat(3800).getBytes(StandardCharsets.US_ASCII);
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long directory = ownDirectory(table);
            for (int i = 0; i < links; i++) {
                table.early()
                        .ask(new TableCommand.Make(directory, name(i), SYMBOLIC_LINK, 0, 0, 0, target))
                        .join();
            }
            table.sync().join();

            for (int i = 0; i < links; i++) {
                assertThat(look(other, directory, name(i))).isPresent();
            }
            assertThat(rig.longestBatch()).isLessThanOrEqualTo(512 * 1024);
        }
    }

    @Test
    void whoIsCutOffForTooLongIsToldThatItsChangesAreLost() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long directory = ownDirectory(table);
            cut = true;
            table.early().ask(make(directory, "mine", FILE)).join();
            Inode others = other.ask(make(directory, "mine", FILE)).join().inode();
            cut = false;

            assertThatThrownBy(() -> table.sync().join()).hasCauseInstanceOf(StorageException.AnswersLost.class);
            assertThat(look(table, directory, "mine")).map(Inode::number).hasValue(others.number());
        }
    }

    @Test
    void whatWasMadeUnderASessionThatIsOverIsNotSentUnderTheNext() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            long directory = ownDirectory(table);
            int before = heard.size();
            await().until(() -> heard.size() > before + 2);
            String first = heard.getFirst();
            cutBehind = true;
            senders.clear();
            assertThat(table.early().ask(make(directory, "sent", FILE))).isDone();
            await().until(() -> senders.contains(first));
            assertThat(table.early().ask(make(directory, "waits", FILE))).isDone();

            rig.observer()
                    .store()
                    .commit(List.of(new Operation.Delete(TablePaths.client(first), Operation.ANY)))
                    .join();
            await().until(() -> !heard.getLast().equals(first));
            cutBehind = false;

            assertThatThrownBy(() -> table.sync().join()).hasCauseInstanceOf(StorageException.AnswersLost.class);
            assertThat(senders).containsExactly(first);
            assertThat(look(other, directory, "waits")).isEmpty();
        }
    }

    /** A leader that has set nothing aside for anybody before waits for nobody's changes. */
    @Test
    void nothingIsMadeUnderALeaseOfALeaderWhenALaterOneHasAnswered() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            takeLease(table, Inode.ROOT);
            int before = changes.get();
            shift = 1;

            table.early().ask(make(Inode.ROOT, "mine", FILE)).join();

            assertThat(changes.get() - before)
                    .as("changes that were sent: numbers for inodes, and the file")
                    .isEqualTo(2);
            assertThat(look(other, Inode.ROOT, "mine")).isPresent();
        }
    }

    @Test
    void leasesEndWithTheirLeader() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2");
                LeasedFileTable table = leased(rig);
                RemoteFileTable other = rig.client()) {
            table.ask(make(Inode.ROOT, "first", FILE)).join();
            takeLease(table, Inode.ROOT);

            rig.kill(rig.leader().orElseThrow());
            other.ask(make(Inode.ROOT, "absent", FILE)).join();

            assertThat(look(table, Inode.ROOT, "absent")).isPresent();
        }
    }
}
