// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.storage.mount.LocalStorage;
import io.albm.storage.mount.StripedFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two mounts of one storage, and programs that lock files on both. */
@Timeout(120)
@EnabledIf(value = "io.albm.storage.fuse.Mounting#isPossible", disabledReason = Mounting.REASON)
final class StripedLocksTest {
    @TempDir
    Path one;

    @TempDir
    Path other;

    private final LocalStorage storage = new LocalStorage(1000);
    private final List<FuseSession> sessions = new ArrayList<>();
    private final Set<Integer> descriptors = new HashSet<>();

    @BeforeEach
    void mount() throws IOException {
        sessions.add(FuseSession.mount(storage.mount(), one, StripedFileSystem.OPTIONS));
        sessions.add(FuseSession.mount(storage.mount(), other, StripedFileSystem.OPTIONS));
    }

    @AfterEach
    void unmount() throws IOException {
        Set.copyOf(descriptors).forEach(this::close);
        for (FuseSession session : sessions) {
            session.close();
        }
    }

    private int open(Path mount, int flags) {
        int opened = FcntlLock.open(mount.resolve("f"), flags);
        descriptors.add(opened);
        return opened;
    }

    private void close(int descriptor) {
        descriptors.remove(descriptor);
        FcntlLock.close(descriptor);
    }

    private static void awaitAll(List<Process> processes) throws InterruptedException {
        for (Process process : processes) {
            assertThat(process.waitFor()).isZero();
        }
    }

    /** Short files are in the file table, others on nodes. */
    @ParameterizedTest
    @ValueSource(ints = {8, 100_000})
    void processesThatCountUnderLocksCountRight(int bytes) throws Exception {
        Files.write(one.resolve("counter"), new byte[bytes]);
        List<Process> processes = new ArrayList<>();
        for (Path mount : List.of(one, other, one, other)) {
            processes.add(CountingProgram.start(mount.resolve("counter"), 100));
        }
        awaitAll(processes);
        for (Path mount : List.of(one, other)) {
            byte[] counter = Files.readAllBytes(mount.resolve("counter"));
            assertThat(counter).hasSize(bytes);
            assertThat(ByteBuffer.wrap(counter).getLong()).isEqualTo(400);
        }
    }

    /** The file is open before it is locked, so that the kernels do not look how long it is. */
    @Test
    void recordsThatAreAppendedUnderLocksAreAllThere() throws Exception {
        int rounds = 30;
        List<Process> processes = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            Path file = (writer % 2 == 0 ? one : other).resolve("log");
            String record = writer + " " + "x".repeat(50 + 1000 * writer);
            processes.add(new ProcessBuilder(
                            "sh",
                            "-c",
                            "for i in $(seq %d); do flock 9; echo \"$i %s\" >&9; flock -u 9; done 9>>%s"
                                    .formatted(rounds, record, file))
                    .inheritIO()
                    .start());
        }
        awaitAll(processes);
        Map<String, List<String>> byWriter = new HashMap<>();
        for (String line : Files.readAllLines(one.resolve("log"))) {
            String[] parts = line.split(" ", 2);
            byWriter.computeIfAbsent(parts[1], first -> new ArrayList<>()).add(parts[0]);
        }
        List<String> all =
                IntStream.rangeClosed(1, rounds).mapToObj(Integer::toString).toList();
        assertThat(byWriter.values())
                .hasSize(4)
                .allSatisfy(seen -> assertThat(seen).isEqualTo(all));
    }

    private static FileChannel open(Path file, StandardOpenOption... more) throws IOException {
        List<StandardOpenOption> options = new ArrayList<>(List.of(more));
        options.add(StandardOpenOption.WRITE);
        return FileChannel.open(file, options.toArray(StandardOpenOption[]::new));
    }

    private static FileChannel openForBoth(Path file) throws IOException {
        return open(file, StandardOpenOption.READ);
    }

    private static String read(FileChannel from) throws IOException {
        return read(from, 1000);
    }

    /** Of a part that the kernel knows to be there it does not ask how long the file is. */
    private static String read(FileChannel from, int most) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(most);
        while (from.read(read, read.position()) > 0) {}
        return new String(read.array(), 0, read.position(), UTF_8);
    }

    private static void write(FileChannel to, String text) throws IOException {
        to.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"changed", "shorter"})
    void whoHasALockSeesWhatOthersHadWrittenWhenTheyGaveItBack(String after) throws IOException {
        Files.writeString(one.resolve("f"), "content");
        try (FileChannel here = openForBoth(one.resolve("f"));
                FileChannel there = openForBoth(other.resolve("f"))) {
            assertThat(read(here)).isEqualTo("content");
            try (FileLock lock = there.lock()) {
                assertThat(lock.isValid()).isTrue();
                assertThat(here.tryLock()).isNull();
                there.truncate(2);
                there.write(ByteBuffer.wrap(after.getBytes(UTF_8)), 1);
            }
            try (FileLock lock = here.lock(0, Long.MAX_VALUE, true)) {
                assertThat(lock.isValid()).isTrue();
                assertThat(read(here)).isEqualTo("c" + after);
                assertThat(here.size()).isEqualTo(1 + after.length());
            }
        }
    }

    /** By the system calls alone: the kernel is asked for nothing that would have it look how long the file is. */
    @ParameterizedTest
    @ValueSource(strings = {"", "a", "longer than the other one"})
    void whoAppendsUnderALockDoesSoBehindWhatOthersHaveLeft(String left) throws IOException {
        Files.writeString(one.resolve("f"), "first");
        int here = open(one, FcntlLock.O_APPEND);
        try (FileChannel there = openForBoth(other.resolve("f"))) {
            try (FileLock lock = there.lock()) {
                assertThat(lock.isValid()).isTrue();
                there.truncate(0);
                write(there, left);
            }
            assertThat(FcntlLock.set(here, FcntlLock.WRITE, 0, 0)).isZero();
            assertThat(Libc.call("write", here, "+", 1L)).isEqualTo(1);
            assertThat(Libc.call("write", here, "-", 1L)).isEqualTo(1);
            assertThat(FcntlLock.set(here, FcntlLock.UNLOCK, 0, 0)).isZero();
            try (FileLock lock = there.lock()) {
                assertThat(lock.isValid()).isTrue();
                assertThat(read(there)).isEqualTo(left + "+-");
            }
        }
        close(here);
        assertThat(one.resolve("f")).hasContent(left + "+-");
    }

    /** From the pages of the kernel, which it has before it appends. */
    @Test
    void whoAppendsUnderALockReadsBackWhatIsThere() throws IOException {
        Files.writeString(one.resolve("f"), "first");
        int appending = open(one, FcntlLock.O_APPEND);
        StringBuilder all = new StringBuilder("first");
        try (FileChannel here = openForBoth(one.resolve("f"));
                FileChannel there = open(other.resolve("f"), StandardOpenOption.APPEND)) {
            for (int round = 0; round < 30; round++) {
                try (FileLock lock = there.lock()) {
                    assertThat(lock.isValid()).isTrue();
                    write(there, "theirs");
                }
                assertThat(FcntlLock.set(appending, FcntlLock.WRITE, 0, 0)).isZero();
                int before = all.length();
                assertThat(read(here, before)).isEqualTo(all.toString());
                assertThat(Libc.call("write", appending, "ours", 4L)).isEqualTo(4);
                all.append("theirsours");
                assertThat(read(here, before + 4)).isEqualTo(all.substring(0, before + 4));
                assertThat(read(here, 1000)).isEqualTo(all.toString());
                assertThat(FcntlLock.set(appending, FcntlLock.UNLOCK, 0, 0)).isZero();
            }
        }
    }

    /** What one process has written and not closed does not hide from another what was written elsewhere. */
    @Test
    void unsavedChangesOfOthersHideNothing() throws Exception {
        Files.writeString(one.resolve("f"), "....");
        try (FileChannel unsaved = open(one.resolve("f"));
                FileChannel here = openForBoth(one.resolve("f"));
                FileChannel there = openForBoth(other.resolve("f"))) {
            unsaved.write(ByteBuffer.wrap(new byte[] {'u'}), 3);
            assertThat(read(here)).isEqualTo("...u");
            try (FileLock lock = there.lock(0, 1, false)) {
                assertThat(lock.isValid()).isTrue();
                there.write(ByteBuffer.wrap(new byte[] {'t'}), 0);
            }
            try (FileLock lock = here.lock(0, 1, false)) {
                assertThat(lock.isValid()).isTrue();
                assertThat(read(here)).isEqualTo("t..u");
            }
        }
    }

    @Test
    void locksOfOneMountHoldOnTheOther() throws IOException {
        Files.writeString(one.resolve("f"), "content");
        int here = open(one, 0);
        int there = open(other, 0);
        assertThat(FcntlLock.set(here, FcntlLock.WRITE, 0, 10)).isZero();
        assertThat(FcntlLock.set(there, FcntlLock.WRITE, 9, 1)).isEqualTo(-Errno.EAGAIN.code());
        assertThat(FcntlLock.set(there, FcntlLock.WRITE, 10, 1)).isZero();
        assertThat(FcntlLock.get(there, FcntlLock.READ, 0, 0)).isEqualTo(FcntlLock.WRITE);
        assertThat(FcntlLock.flock(there, FcntlLock.LOCK_EX | FcntlLock.LOCK_NB))
                .isZero();
        assertThat(FcntlLock.flock(here, FcntlLock.LOCK_SH | FcntlLock.LOCK_NB)).isEqualTo(-Errno.EAGAIN.code());

        close(open(one, 0));
        assertThat(FcntlLock.set(there, FcntlLock.WRITE, 0, 0)).isZero();
        close(there);
        await().until(() -> FcntlLock.flock(here, FcntlLock.LOCK_EX | FcntlLock.LOCK_NB) == 0);
        assertThat(FcntlLock.setOfd(here, FcntlLock.WRITE, 0, 0)).isZero();
        close(here);
        int again = open(other, 0);
        await().until(() -> FcntlLock.set(again, FcntlLock.WRITE, 0, 0) == 0);
        close(again);
    }

    @Test
    void twoWhoWantMoreThanTheySharedDoNotWaitForEachOther() throws Exception {
        Files.writeString(one.resolve("f"), "content");
        String upgrade = "exec 9<>%s; flock -s 9; touch %s; while [ ! -e %s ]; do sleep 0.01; done; flock -x 9";
        Path here = one.resolve("here");
        Path there = one.resolve("there");
        List<Process> processes = List.of(
                shell(upgrade.formatted(one.resolve("f"), here, there)),
                shell(upgrade.formatted(other.resolve("f"), other.resolve("there"), other.resolve("here"))));
        awaitAll(processes);
    }

    private static Process shell(String script) throws IOException {
        return new ProcessBuilder("sh", "-c", script).inheritIO().start();
    }
}
