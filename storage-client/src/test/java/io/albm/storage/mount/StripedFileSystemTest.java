// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.NodeId;
import io.albm.storage.FileTable;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRequest;
import io.albm.storage.fuse.Allocation;
import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.DirectorySink;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.FileMode;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.OpenFlags;
import io.albm.storage.fuse.RenameMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What several mounts of one storage see of each other, and what is left behind; without the kernel. */
final class StripedFileSystemTest {
    private static final long ROOT = InodeFileSystem.ROOT;
    private static final Caller CALLER = new Caller(7, 8, 1);
    private static final OpenFlags READ = new OpenFlags(0, false);
    private static final OpenFlags WRITE = new OpenFlags(2, false);
    private static final OpenFlags TRUNCATE = new OpenFlags(01002, false);

    /** Too long for the file table. */
    private static final String OLD = "old".repeat(2000);

    /** How long a mount waits for what does not come. */
    private static final Duration SHORT = Duration.ofMillis(50);

    private final LocalStorage storage = new LocalStorage(500_000);
    private final StripedFileSystem mount = storage.mount();
    private final StripedFileSystem other = storage.mount();

    @AfterEach
    void end() throws IOException, InterruptedException {
        mount.end();
        other.end();
    }

    private Created create(String name) throws IOException, InterruptedException {
        return mount.create(CALLER, ROOT, name, FileMode.REGULAR | 0644, WRITE);
    }

    private long stored(String name, String content) throws IOException, InterruptedException {
        Created created = create(name);
        long inode = created.attributes().inode();
        write(mount, inode, created.opened().handle(), 0, content);
        close(mount, inode, created.opened().handle());
        return inode;
    }

    private static void write(StripedFileSystem by, long inode, long handle, long offset, String content)
            throws IOException, InterruptedException {
        by.write(inode, handle, offset, ByteBuffer.wrap(content.getBytes(UTF_8)), WRITE);
    }

    private static void close(StripedFileSystem by, long inode, long handle) throws IOException, InterruptedException {
        by.flush(inode, handle, LocalStorage.OWNER);
        by.release(inode, handle);
    }

    private static String read(StripedFileSystem by, long inode, long handle) throws IOException, InterruptedException {
        ByteBuffer target = ByteBuffer.allocate(20_000);
        by.read(inode, handle, 0, target);
        return new String(target.array(), 0, target.position(), UTF_8);
    }

    private static String content(StripedFileSystem by, long inode) throws IOException, InterruptedException {
        long handle = LocalStorage.open(by, inode, READ);
        try {
            return read(by, inode, handle);
        } finally {
            by.release(inode, handle);
        }
    }

    private static void assertFails(Errno errno, ThrowingCallable operation) {
        assertThatExceptionOfType(ErrnoException.class)
                .isThrownBy(operation)
                .satisfies(failure -> assertThat(failure.errno()).isEqualTo(errno));
    }

    @Test
    void showsOthersTheContentWhenItIsClosedAndNotBefore() throws Exception {
        Created created = create("late");
        long inode = created.attributes().inode();
        long handle = created.opened().handle();
        write(mount, inode, handle, 0, "content");
        assertThat(mount.lookup(ROOT, "late").size()).isEqualTo(7);
        assertThat(other.lookup(ROOT, "late").size()).isZero();
        mount.flush(inode, handle, LocalStorage.OWNER);
        assertThat(other.lookup(ROOT, "late").size()).isEqualTo(7);
        assertThat(content(other, inode)).isEqualTo("content");
        mount.release(inode, handle);
    }

    @Test
    void showsAFileNeverAsItWasBeforeItWasStoredHere() throws Exception {
        Created created = create("f");
        long inode = created.attributes().inode();
        long handle = created.opened().handle();
        write(mount, inode, handle, 0, "content");
        storage.onTheWay = request -> {
            if (request instanceof TableQuery.Lookup) {
                storage.onTheWay = others -> {};
                assertThatCode(() -> mount.flush(inode, handle, LocalStorage.OWNER))
                        .doesNotThrowAnyException();
            }
        };
        assertThat(mount.lookup(ROOT, "f").size()).isEqualTo(7);
        mount.release(inode, handle);
        assertThat(mount.lookup(ROOT, "f").size()).isEqualTo(7);
    }

    @Test
    void readsAnothersNewVersionWhenItIsOpenedAgain() throws Exception {
        long inode = stored("f", "old");
        long open = LocalStorage.open(other, inode, READ);
        assertThat(read(other, inode, open)).isEqualTo("old");
        long handle = LocalStorage.open(mount, inode, TRUNCATE);
        write(mount, inode, handle, 0, "newer");
        assertThat(content(other, inode)).isEqualTo("old");
        close(mount, inode, handle);
        assertThat(content(other, inode)).isEqualTo("newer");
        assertThat(read(other, inode, open)).isEqualTo("newer");
        other.release(inode, open);
    }

    @Test
    void readsThroughOneOpeningWhatWasWrittenThroughAnother() throws Exception {
        long inode = stored("f", "old");
        long reading = LocalStorage.open(mount, inode, READ);
        long writing = LocalStorage.open(mount, inode, WRITE);
        write(mount, inode, writing, 1, "!!");
        assertThat(read(mount, inode, reading)).isEqualTo("o!!");
        close(mount, inode, writing);
        assertThat(read(mount, inode, reading)).isEqualTo("o!!");
        mount.release(inode, reading);
    }

    @Test
    void holesTakeNoRoom() throws Exception {
        long inode = stored("f", "some");
        long writing = LocalStorage.open(mount, inode, WRITE);
        write(mount, inode, writing, 1 << 20, "more");
        close(mount, inode, writing);
        Attributes attributes = other.lookup(ROOT, "f");
        assertThat(attributes.size()).isEqualTo((1 << 20) + 4);
        assertThat(attributes.allocatedBytes()).isEqualTo(8);
    }

    @Test
    void zerosThatNobodyWroteTakeNoRoomHoweverMuchIsWrittenOverThem() throws Exception {
        Created created = create("f");
        long inode = created.attributes().inode();
        long handle = created.opened().handle();
        mount.fallocate(inode, handle, 0, 64 << 20, Allocation.ZERO, false);
        String text = "0123456789".repeat(500_000);
        write(mount, inode, handle, 0, text);
        close(mount, inode, handle);
        Attributes attributes = other.lookup(ROOT, "f");
        assertThat(attributes.size()).isEqualTo(64 << 20);
        assertThat(attributes.allocatedBytes()).isEqualTo(text.length());
        assertThat(content(other, inode)).isEqualTo(text.substring(0, 20_000));
    }

    @Test
    void joinsWhatTwoMountsHaveWritten() throws Exception {
        long inode = stored("f", "old");
        long mine = LocalStorage.open(mount, inode, WRITE);
        long theirs = LocalStorage.open(other, inode, WRITE);
        write(mount, inode, mine, 0, "mine");
        write(other, inode, theirs, 0, "theirs");
        other.flush(inode, theirs, LocalStorage.OWNER);
        mount.flush(inode, mine, LocalStorage.OWNER);
        assertThat(content(mount, inode)).isEqualTo("miners");
        close(mount, inode, mine);
        close(other, inode, theirs);
        assertThat(content(other, inode)).isEqualTo("miners");
    }

    @Test
    void opensWhatAnotherMadeAMomentBefore() throws Exception {
        long inode = stored("f", "there");
        Created opened = other.create(CALLER, ROOT, "f", FileMode.REGULAR | 0600, WRITE);
        assertThat(opened.attributes().inode()).isEqualTo(inode);
        assertThat(read(other, inode, opened.opened().handle())).isEqualTo("there");
        OpenFlags exclusive = new OpenFlags(0202, false);
        assertFails(Errno.EEXIST, () -> other.create(CALLER, ROOT, "f", FileMode.REGULAR | 0600, exclusive));
    }

    @Test
    void keepsAnUnlinkedFileUntilItsLastHandleIsClosed() throws Exception {
        long inode = stored("f", "content");
        long first = LocalStorage.open(mount, inode, WRITE);
        long second = LocalStorage.open(mount, inode, READ);
        mount.unlink(ROOT, "f");
        assertFails(Errno.ENOENT, () -> mount.lookup(ROOT, "f"));
        assertThat(mount.getattr(inode, OptionalLong.of(first)).links()).isZero();
        write(mount, inode, first, 7, "+more");
        close(mount, inode, first);
        assertThat(read(mount, inode, second)).isEqualTo("content+more");
        mount.release(inode, second);
        assertFails(Errno.ESTALE, () -> mount.getattr(inode, OptionalLong.empty()));
        assertThat(storage.blocks.count()).isZero();
    }

    @Test
    void keepsAFileThatIsRenamedOverUntilItIsClosed() throws Exception {
        long inode = stored("f", "old");
        stored("g", "new");
        long handle = LocalStorage.open(mount, inode, READ);
        mount.rename(ROOT, "g", ROOT, "f", RenameMode.REPLACE);
        assertThat(read(mount, inode, handle)).isEqualTo("old");
        mount.release(inode, handle);
        assertFails(Errno.ESTALE, () -> mount.getattr(inode, OptionalLong.empty()));
        mount.unlink(ROOT, "f");
        assertThat(storage.blocks.count()).isZero();
    }

    @Test
    void losesAFileThatAnotherMountRemoves() throws Exception {
        long inode = stored("f", OLD);
        long handle = LocalStorage.open(mount, inode, WRITE);
        other.unlink(ROOT, "f");
        assertFails(Errno.ESTALE, () -> read(mount, inode, handle));
        write(mount, inode, handle, 0, "new");
        assertFails(Errno.ESTALE, () -> mount.flush(inode, handle, LocalStorage.OWNER));
        assertThat(storage.blocks.count()).isZero();
    }

    @Test
    void leavesAFileAsItWasIfThereIsNoRoom() throws Exception {
        long inode = stored("f", OLD);
        long handle = LocalStorage.open(mount, inode, TRUNCATE);
        write(mount, inode, handle, 0, "x".repeat(10_000));
        storage.blocks.setFull(true);
        assertFails(Errno.ENOSPC, () -> mount.flush(inode, handle, LocalStorage.OWNER));
        assertFails(Errno.ENOSPC, () -> mount.fsync(inode, handle, true));
        assertFails(Errno.ENOSPC, () -> mount.release(inode, handle));
        storage.blocks.setFull(false);
        assertThat(content(mount, inode)).isEqualTo(OLD);
    }

    @Test
    void storesChangesOverTheOtherNodesIfOneIsLost() throws Exception {
        long inode = stored("f", "old");
        for (int node = 0; node < LocalStorage.NODES; node++) {
            storage.blocks.setAway(new NodeId("n-" + node));
            long handle = LocalStorage.open(mount, inode, WRITE);
            write(mount, inode, handle, 1, "y".repeat(10_000 + node));
            mount.fsync(inode, handle, false);
            write(mount, inode, handle, 0, "z");
            mount.flush(inode, handle, LocalStorage.OWNER);
            mount.release(inode, handle);
            assertThat(content(other, inode)).isEqualTo("z" + "y".repeat(10_000 + node));
        }
    }

    /** @param written before, which ends in any unit of a stripe */
    @ParameterizedTest
    @ValueSource(ints = {5_000_000, 5_065_000, 5_130_000, 5_200_000})
    void goesOnSendingAFileAheadIfANodeIsLost(int written) throws Exception {
        for (NodeId lost : storage.nodes()) {
            long inode = stored("f", "old");
            int before = storage.blocks.count();
            long handle = LocalStorage.open(mount, inode, TRUNCATE);
            String text = "0123456789".repeat(700_000);
            write(mount, inode, handle, 0, text.substring(0, written));
            assertThat(storage.blocks.count()).isGreaterThan(before);
            storage.blocks.setAway(lost);
            storage.blocks.lose(lost);
            write(mount, inode, handle, written, text.substring(written, 6_900_001));
            write(mount, inode, handle, 6_900_001, text.substring(6_900_001));
            mount.flush(inode, handle, LocalStorage.OWNER);
            mount.release(inode, handle);
            storage.blocks.find(lost);
            assertThat(contentIs(text, other, inode)).as(lost.value()).isTrue();
            mount.unlink(ROOT, "f");
        }
    }

    @Test
    void storesWhatWasSentAheadOverTheOtherNodesIfOneIsLostAtTheEnd() throws Exception {
        long inode = stored("f", "old");
        long handle = LocalStorage.open(mount, inode, TRUNCATE);
        String text = "0123456789".repeat(500_001);
        write(mount, inode, handle, 0, text);
        NodeId lost = storage.nodes().getFirst();
        storage.blocks.setAway(lost);
        storage.blocks.lose(lost);
        mount.flush(inode, handle, LocalStorage.OWNER);
        mount.release(inode, handle);
        assertThat(contentIs(text, other, inode)).isTrue();
    }

    @Test
    void joinsWhatTwoMountsHaveWrittenOfANewFileHoweverLong() throws Exception {
        Created created = create("f");
        long inode = created.attributes().inode();
        long theirs = LocalStorage.open(other, inode, WRITE);
        String sentAhead = "0123456789".repeat(500_001);
        write(mount, inode, created.opened().handle(), 0, sentAhead);
        write(other, inode, theirs, sentAhead.length(), "behind");
        close(other, inode, theirs);
        close(mount, inode, created.opened().handle());
        assertThat(contentIs(sentAhead + "behind", other, inode)).isTrue();
    }

    private static boolean contentIs(String expected, StripedFileSystem by, long inode)
            throws IOException, InterruptedException {
        ByteBuffer found = ByteBuffer.allocate(expected.length() + 1);
        long handle = LocalStorage.open(by, inode, READ);
        by.read(inode, handle, 0, found);
        by.release(inode, handle);
        return found.flip().equals(ByteBuffer.wrap(expected.getBytes(UTF_8)));
    }

    @Test
    void leavesAFileAsItWasIfStoringItBreaks() throws Exception {
        long inode = stored("f", OLD);
        int before = storage.blocks.count();
        long handle = LocalStorage.open(mount, inode, WRITE);
        write(mount, inode, handle, 1, "x");
        storage.blocks.setBroken(true);
        assertThatThrownBy(() -> mount.fsync(inode, handle, true)).isInstanceOf(OutOfMemoryError.class);
        storage.blocks.setBroken(false);
        assertThatThrownBy(() -> write(mount, inode, handle, 0, "y")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> mount.release(inode, handle)).isInstanceOf(IOException.class);
        assertThat(content(mount, inode)).isEqualTo(OLD);
        assertThat(storage.blocks.count()).isEqualTo(before);
    }

    @Test
    void neverStoresLaterWhatItsNodesDidNotSealInTime() throws Exception {
        CompletableFuture<Void> sealed = new CompletableFuture<>();
        long inode = stored("f", OLD);
        storage.blocks.holdSeals(sealed);
        failsInTime(storage.mount(table -> table, SHORT), inode);
        storage.blocks.holdSeals(CompletableFuture.completedFuture(null));
        staysAsWrittenSince(inode, sealed);
    }

    @Test
    void neverStoresLaterWhatDidNotReachTheTableInTime() throws Exception {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        long inode = stored("f", OLD);
        failsInTime(storage.mount(table -> lateChanges(table, arrived), SHORT), inode);
        staysAsWrittenSince(inode, arrived);
    }

    private static FileTable lateChanges(FileTable table, CompletableFuture<Void> arrived) {
        return new FileTable() {
            @Override
            public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
                return request instanceof TableCommand.Change
                        ? arrived.thenCompose(nothing -> table.ask(request))
                        : table.ask(request);
            }
        };
    }

    private static void failsInTime(StripedFileSystem by, long inode) throws IOException, InterruptedException {
        long handle = LocalStorage.open(by, inode, WRITE);
        write(by, inode, handle, 0, "late");
        assertThatThrownBy(() -> by.flush(inode, handle, LocalStorage.OWNER))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not answer");
        by.end();
    }

    private void staysAsWrittenSince(long inode, CompletableFuture<Void> goesOn)
            throws IOException, InterruptedException {
        long handle = LocalStorage.open(other, inode, WRITE);
        write(other, inode, handle, 0, "since");
        close(other, inode, handle);
        int blocks = storage.blocks.count();
        goesOn.complete(null);
        assertThat(content(mount, inode)).isEqualTo("since" + OLD.substring(5));
        assertThat(storage.blocks.count())
                .as("blocks of what failed are removed")
                .isLessThan(blocks);
    }

    @Test
    void givesUpWhatIsNotClosedAtTheEnd() throws Exception {
        long inode = stored("f", "old");
        int before = storage.blocks.count();
        long handle = LocalStorage.open(mount, inode, TRUNCATE);
        write(mount, inode, handle, 0, "x".repeat(5 << 20));
        assertThat(storage.blocks.count()).isGreaterThan(before);
        mount.end();
        assertThat(content(other, inode)).isEqualTo("old");
        assertThat(storage.blocks.count()).isEqualTo(before);
    }

    @Test
    void sendsAheadWhatWouldTakeTooMuchMemory() throws Exception {
        List<Created> created = new ArrayList<>();
        for (int file = 0; file < 40; file++) {
            created.add(create("f" + file));
            long inode = created.getLast().attributes().inode();
            mount.write(inode, created.getLast().opened().handle(), 1, ByteBuffer.allocate(2 << 20), WRITE);
        }
        assertThat(storage.blocks.count()).isPositive();
        for (Created next : created) {
            long inode = next.attributes().inode();
            close(mount, inode, next.opened().handle());
            assertThat(other.getattr(inode, OptionalLong.empty()).size()).isEqualTo((2 << 20) + 1);
        }
    }

    /** Takes a bounded number of entries. */
    private static final class Entries implements DirectorySink {
        private final int room;
        private final List<String> names = new ArrayList<>();
        private long last;

        Entries(int room) {
            this.room = room;
        }

        @Override
        public boolean add(String name, Attributes attributes, long cookie) {
            if (names.size() == room) {
                return false;
            }
            names.add(name);
            last = cookie;
            return true;
        }

        @Override
        public boolean countsAsLookup() {
            return true;
        }
    }

    private Entries entries(long handle, long cookie, int room) throws IOException, InterruptedException {
        Entries entries = new Entries(room);
        mount.readdir(ROOT, handle, cookie, entries);
        return entries;
    }

    private void make(String name) throws IOException, InterruptedException {
        mount.mknod(CALLER, ROOT, name, FileMode.REGULAR | 0644, 0);
    }

    @Test
    void showsHowManyFilesThereMayBe() throws Exception {
        long before = mount.statfs().freeFiles();
        make("one");
        make("two");
        assertThat(mount.statfs().files()).isEqualTo(500_000);
        assertThat(mount.statfs().freeFiles()).isEqualTo(before - 2);
    }

    @Test
    void listsEveryEntryThatStaysOnceWhileOthersComeAndGo() throws Exception {
        List<String> stay = new ArrayList<>(List.of(".", ".."));
        for (int file = 10_000; file < 13_000; file++) {
            make(file + "-stays");
            make(file + "-goes");
            stay.add(file + "-stays");
        }
        long handle = mount.opendir(ROOT);
        List<String> found = new ArrayList<>();
        long cookie = 0;
        for (int round = 0; ; round++) {
            Entries some = entries(handle, cookie, 1 + round % 70);
            if (some.names.isEmpty()) {
                break;
            }
            found.addAll(some.names);
            cookie = some.last;
            make("0-comes-before-all-" + round);
            if (round < 150) {
                make((10_000 + round * 20) + "-comes");
            }
            for (int file = 10_000 + round * 10; file < Math.min(13_000, 10_010 + round * 10); file++) {
                mount.unlink(ROOT, file + "-goes");
            }
        }
        assertThat(found).doesNotHaveDuplicates().containsAll(stay);
        mount.releasedir(ROOT, handle);
    }

    @Test
    void listsTheOthersWhenOneIsStoredAndRemovedMeanwhile() throws Exception {
        Created created = create("goes");
        long inode = created.attributes().inode();
        long written = created.opened().handle();
        write(mount, inode, written, 0, "content");
        make("stays");
        storage.onTheWay = request -> {
            if (request instanceof TableQuery.Directory) {
                storage.onTheWay = others -> {};
                assertThatCode(() -> {
                            close(mount, inode, written);
                            mount.unlink(ROOT, "goes");
                        })
                        .doesNotThrowAnyException();
            }
        };
        long handle = mount.opendir(ROOT);
        Entries found = entries(handle, 0, 10);
        assertThat(found.names).containsExactly(".", "..", "stays");
        assertThat(entries(handle, found.last, 10).names).isEmpty();
        mount.releasedir(ROOT, handle);
    }

    @Test
    void goesBackToAnyPlaceOfADirectory() throws Exception {
        for (int file = 10_000; file < 20_000; file++) {
            make("f" + file);
        }
        long handle = mount.opendir(ROOT);
        List<String> all = new ArrayList<>();
        List<Long> cookies = new ArrayList<>(List.of(0L));
        for (Entries some = entries(handle, 0, 77); !some.names.isEmpty(); some = entries(handle, some.last, 77)) {
            all.addAll(some.names);
            cookies.add(some.last);
        }
        assertThat(all).hasSize(10_002);
        for (int page = cookies.size() - 2; page >= 0; page -= 13) {
            assertThat(entries(handle, cookies.get(page), 5).names).isEqualTo(all.subList(page * 77, page * 77 + 5));
        }
    }
}
