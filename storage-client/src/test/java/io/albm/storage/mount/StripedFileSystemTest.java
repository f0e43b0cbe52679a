// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static io.albm.storage.mount.MountedFiles.CALLER;
import static io.albm.storage.mount.MountedFiles.READ;
import static io.albm.storage.mount.MountedFiles.ROOT;
import static io.albm.storage.mount.MountedFiles.WRITE;
import static io.albm.storage.mount.MountedFiles.assertFails;
import static io.albm.storage.mount.MountedFiles.close;
import static io.albm.storage.mount.MountedFiles.content;
import static io.albm.storage.mount.MountedFiles.contentIs;
import static io.albm.storage.mount.MountedFiles.created;
import static io.albm.storage.mount.MountedFiles.read;
import static io.albm.storage.mount.MountedFiles.stored;
import static io.albm.storage.mount.MountedFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.albm.storage.TableQuery;
import io.albm.storage.fuse.Allocation;
import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.FileMode;
import io.albm.storage.fuse.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What several mounts of one storage see of each other, and what is left behind; without the kernel. */
final class StripedFileSystemTest {
    private static final OpenFlags TRUNCATE = new OpenFlags(01002, false);

    private final LocalStorage storage = new LocalStorage(500_000);
    private final StripedFileSystem mount = storage.mount();
    private final StripedFileSystem other = storage.mount();

    @AfterEach
    void end() throws IOException, InterruptedException {
        mount.end();
        other.end();
    }

    @Test
    void showsOthersTheContentWhenItIsClosedAndNotBefore() throws Exception {
        Created created = created(mount, "late");
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
        Created created = created(mount, "f");
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
        long inode = stored(mount, "f", "old");
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

    /** The kernel looks and opens again once; a second refusal is the program's. */
    @Test
    void opensAFileThatTheKernelHasLookedAtAgainWhateverIsWrittenToOthers() throws Exception {
        long inode = stored(mount, "f", "content");
        Created busy = created(other, "busy0");
        for (int file = 1; (busy.attributes().inode() - inode) % (1 << 14) != 0; file++) {
            other.release(busy.attributes().inode(), busy.opened().handle());
            busy = created(other, "busy" + file);
        }
        assertFails(Errno.ESTALE, () -> other.open(inode, READ));
        other.getattr(inode, OptionalLong.empty());
        write(other, busy.attributes().inode(), busy.opened().handle(), 0, "more");
        long handle = other.open(inode, READ).handle();
        assertThat(read(other, inode, handle)).isEqualTo("content");
        other.release(inode, handle);
    }

    @Test
    void readsThroughOneOpeningWhatWasWrittenThroughAnother() throws Exception {
        long inode = stored(mount, "f", "old");
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
        long inode = stored(mount, "f", "some");
        long writing = LocalStorage.open(mount, inode, WRITE);
        write(mount, inode, writing, 1 << 20, "more");
        close(mount, inode, writing);
        Attributes attributes = other.lookup(ROOT, "f");
        assertThat(attributes.size()).isEqualTo((1 << 20) + 4);
        assertThat(attributes.allocatedBytes()).isEqualTo(8);
    }

    @Test
    void zerosThatNobodyWroteTakeNoRoomHoweverMuchIsWrittenOverThem() throws Exception {
        Created created = created(mount, "f");
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
        long inode = stored(mount, "f", "old");
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

    @ParameterizedTest
    @EnumSource(
            value = Allocation.class,
            names = {"RESERVE", "ZERO"})
    void makesAFileLongerWithoutTakingWhatAnotherHasWrittenBehind(Allocation how) throws Exception {
        long inode = created(mount, "f").attributes().inode();
        long mine = LocalStorage.open(mount, inode, WRITE);
        long theirs = LocalStorage.open(other, inode, WRITE);
        mount.fallocate(inode, mine, 0, 100, how, false);
        write(mount, inode, mine, 0, "mine");
        write(other, inode, theirs, 200, "theirs");
        close(other, inode, theirs);
        close(mount, inode, mine);
        assertThat(content(other, inode)).isEqualTo("mine" + "\0".repeat(196) + "theirs");
    }

    @Test
    void opensWhatAnotherMadeAMomentBefore() throws Exception {
        long inode = stored(mount, "f", "there");
        Created opened = other.create(CALLER, ROOT, "f", FileMode.REGULAR | 0600, WRITE);
        assertThat(opened.attributes().inode()).isEqualTo(inode);
        assertThat(read(other, inode, opened.opened().handle())).isEqualTo("there");
        OpenFlags exclusive = new OpenFlags(0202, false);
        assertFails(Errno.EEXIST, () -> other.create(CALLER, ROOT, "f", FileMode.REGULAR | 0600, exclusive));
    }

    @Test
    void joinsWhatTwoMountsHaveWrittenOfANewFileHoweverLong() throws Exception {
        Created created = created(mount, "f");
        long inode = created.attributes().inode();
        long theirs = LocalStorage.open(other, inode, WRITE);
        String sentAhead = "0123456789".repeat(500_001);
        write(mount, inode, created.opened().handle(), 0, sentAhead);
        write(other, inode, theirs, sentAhead.length(), "behind");
        close(other, inode, theirs);
        close(mount, inode, created.opened().handle());
        assertThat(contentIs(sentAhead + "behind", other, inode)).isTrue();
    }

    @Test
    void storesWhatIsNotClosedAtTheEnd() throws Exception {
        long inode = stored(mount, "f", "old");
        long handle = LocalStorage.open(mount, inode, TRUNCATE);
        String sentAhead = "x".repeat(5 << 20);
        write(mount, inode, handle, 0, sentAhead);
        mount.end();
        assertThat(contentIs(sentAhead, other, inode)).isTrue();
    }

    /** A program writes through a mapping when it has closed the file, and the kernel tells of the end of that when it likes. */
    @Test
    void storesAtTheEndWhatWasWrittenAfterTheLastClose() throws Exception {
        Created created = created(mount, "f");
        long inode = created.attributes().inode();
        mount.flush(inode, created.opened().handle(), LocalStorage.OWNER);
        write(mount, inode, created.opened().handle(), 0, "mapped");
        mount.end();
        assertThat(content(other, inode)).isEqualTo("mapped");
    }

    @Test
    void storesNothingAtTheEndOfAFileThatHasNoName() throws Exception {
        Created created = created(mount, "f");
        mount.unlink(ROOT, "f");
        write(mount, created.attributes().inode(), created.opened().handle(), 0, "x".repeat(5 << 20));
        mount.end();
        assertThat(storage.blocks.count()).isZero();
    }

    @Test
    void sendsAheadWhatWouldTakeTooMuchMemory() throws Exception {
        List<Created> created = new ArrayList<>();
        for (int file = 0; file < 40; file++) {
            created.add(created(mount, "f" + file));
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
}
