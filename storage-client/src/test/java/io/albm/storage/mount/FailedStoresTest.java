// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static io.albm.storage.mount.MountedFiles.OLD;
import static io.albm.storage.mount.MountedFiles.ROOT;
import static io.albm.storage.mount.MountedFiles.WRITE;
import static io.albm.storage.mount.MountedFiles.assertFails;
import static io.albm.storage.mount.MountedFiles.close;
import static io.albm.storage.mount.MountedFiles.content;
import static io.albm.storage.mount.MountedFiles.contentIs;
import static io.albm.storage.mount.MountedFiles.created;
import static io.albm.storage.mount.MountedFiles.stored;
import static io.albm.storage.mount.MountedFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.NodeId;
import io.albm.storage.FileTable;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRequest;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.OpenFlags;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a mount leaves when it cannot store all that was written, or not where it began; without the kernel. */
final class FailedStoresTest {
    private static final OpenFlags TRUNCATE = new OpenFlags(01002, false);
    /** How long a mount waits for what does not come. */
    private static final Duration SHORT = Duration.ofMillis(50);

    private static final StripeSettings SETTINGS = new StripeSettings(64 * 1024, 4, 1, 3, Duration.ofSeconds(5));

    private final LocalStorage storage = new LocalStorage(500_000);
    private final StripedFileSystem mount = storage.mount();
    private final StripedFileSystem other = storage.mount();

    @AfterEach
    void end() throws IOException, InterruptedException {
        mount.end();
        other.end();
    }

    @Test
    void leavesAFileAsItWasIfThereIsNoRoom() throws Exception {
        long inode = stored(mount, "f", OLD);
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
        long inode = stored(mount, "f", "old");
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
            long inode = stored(mount, "f", "old");
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
        long inode = stored(mount, "f", "old");
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

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void sendsALongFileAheadThoughNodesAreAwayOneAfterTheOther(int nodes) throws Exception {
        LocalStorage restarting = new LocalStorage(100, nodes, SETTINGS);
        StripedFileSystem by = restarting.mount();
        long inode = stored(by, "f", "old");
        long handle = LocalStorage.open(by, inode, TRUNCATE);
        String text = "0123456789".repeat(200_000);
        int at = 0;
        for (int turn = 0; turn < 2 * nodes; turn++) {
            NodeId away = restarting.nodes().get(turn % nodes);
            restarting.blocks.setAway(away);
            restarting.blocks.lose(away);
            write(by, inode, handle, at, text);
            restarting.blocks.setAway();
            restarting.blocks.find(away);
            write(by, inode, handle, at + text.length(), text);
            at += 2 * text.length();
        }
        close(by, inode, handle);
        assertThat(contentIs(text.repeat(4 * nodes), by, inode)).isTrue();
        by.end();
    }

    /** @param lost one of three nodes, and another one fails once: before or after it */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void storesChangesThoughOneOfThreeNodesIsLostAndAnotherFailsOnce(int lost) throws Exception {
        LocalStorage small = new LocalStorage(100, 3, SETTINGS);
        StripedFileSystem by = small.mount();
        long inode = stored(by, "f", OLD);
        NodeId away = small.nodes().get(lost);
        small.blocks.setAway(away);
        for (NodeId failing : small.nodes()) {
            if (!failing.equals(away)) {
                small.blocks.failNext(new StorageException.NodeUnreachable(failing, "once"));
                long handle = LocalStorage.open(by, inode, WRITE);
                write(by, inode, handle, 0, failing + "y".repeat(10_000));
                close(by, inode, handle);
                assertThat(content(by, inode)).isEqualTo(failing + "y".repeat(10_000));
            }
        }
        by.end();
    }

    @Test
    void saysWhatIsLostIfWhatWasSentAheadIs() throws Exception {
        StripedFileSystem by = storage.mount(table -> table, Duration.ofMillis(200));
        long inode = stored(by, "f", "old");
        long handle = LocalStorage.open(by, inode, TRUNCATE);
        write(by, inode, handle, 0, "0123456789".repeat(500_001));
        storage.blocks.setAway(storage.nodes().toArray(NodeId[]::new));
        storage.nodes().subList(0, 2).forEach(storage.blocks::lose);
        assertThatThrownBy(() -> by.flush(inode, handle, LocalStorage.OWNER))
                .isInstanceOf(StorageException.DataLost.class)
                .hasMessageContaining("2 of its units are lost");
        assertThatThrownBy(() -> by.release(inode, handle)).isInstanceOf(IOException.class);
    }

    @Test
    void storesOverTheOtherNodesBeforeTheOneThatFailedHasRemovedAnything() throws Exception {
        StripedFileSystem by = storage.mount(table -> table, Duration.ofSeconds(5));
        long inode = stored(by, "f", "old");
        for (NodeId failing : storage.nodes()) {
            storage.blocks.setAway(failing);
            storage.blocks.neverRemove(failing);
            long handle = LocalStorage.open(by, inode, WRITE);
            write(by, inode, handle, 0, failing + "y".repeat(200_000));
            close(by, inode, handle);
            assertThat(content(by, inode)).startsWith(failing + "yyy");
        }
    }

    @Test
    void leavesAFileAsItWasIfStoringItBreaks() throws Exception {
        long inode = stored(mount, "f", OLD);
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
    void saysAtTheEndWhatCouldNotBeStoredAndNotAgainWhatItHasSaid() throws Exception {
        StripedFileSystem ending = storage.mount();
        long told = stored(ending, "told", OLD);
        long inode = stored(ending, "f", OLD);
        storage.blocks.setFull(true);
        long handle = LocalStorage.open(ending, told, WRITE);
        write(ending, told, handle, 0, "x".repeat(10_000));
        assertFails(Errno.ENOSPC, () -> ending.flush(told, handle, LocalStorage.OWNER));
        write(ending, inode, LocalStorage.open(ending, inode, WRITE), 0, "x".repeat(10_000));
        assertThatThrownBy(ending::end)
                .isInstanceOf(IOException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).isEmpty());
        assertThat(content(other, inode)).isEqualTo(OLD);
    }

    @Test
    void endsInTimeHoweverManyFilesCannotBeStored() throws Exception {
        StripedFileSystem ending = storage.mount(table -> table, SHORT);
        int count = 200;
        for (int file = 0; file < count; file++) {
            Created created = created(ending, "f" + file);
            write(ending, created.attributes().inode(), created.opened().handle(), 0, OLD);
        }
        storage.blocks.holdSeals(new CompletableFuture<>());
        Instant start = Instant.now();
        assertThatThrownBy(ending::end)
                .isInstanceOf(IOException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(count - 1));
        assertThat(Duration.between(start, Instant.now())).isLessThan(SHORT.multipliedBy(count / 2));
    }

    @Test
    void neverStoresLaterWhatItsNodesDidNotSealInTime() throws Exception {
        CompletableFuture<Void> sealed = new CompletableFuture<>();
        long inode = stored(mount, "f", OLD);
        storage.blocks.holdSeals(sealed);
        failsInTime(storage.mount(table -> table, SHORT), inode);
        storage.blocks.holdSeals(CompletableFuture.completedFuture(null));
        staysAsWrittenSince(inode, sealed);
    }

    @Test
    void neverStoresLaterWhatDidNotReachTheTableInTime() throws Exception {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        long inode = stored(mount, "f", OLD);
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
}
