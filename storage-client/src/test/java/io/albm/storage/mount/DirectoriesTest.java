// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static io.albm.storage.mount.MountedFiles.CALLER;
import static io.albm.storage.mount.MountedFiles.ROOT;
import static io.albm.storage.mount.MountedFiles.close;
import static io.albm.storage.mount.MountedFiles.created;
import static io.albm.storage.mount.MountedFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.albm.storage.TableQuery;
import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.DirectorySink;
import io.albm.storage.fuse.FileMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a mount lists of a directory while names come and go, and how many there may be; without the kernel. */
final class DirectoriesTest {
    private final LocalStorage storage = new LocalStorage(500_000);
    private final StripedFileSystem mount = storage.mount();

    @AfterEach
    void end() throws IOException, InterruptedException {
        mount.end();
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
        Created created = created(mount, "goes");
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
