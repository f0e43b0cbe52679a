// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every file system does through a real mount, by the system calls that programs make. */
abstract class MountContract {
    @TempDir
    Path directory;

    private FuseSession session;

    @BeforeEach
    final void mount() throws IOException {
        session = mount(directory);
    }

    /** Mounts an empty file system. */
    abstract FuseSession mount(Path target) throws IOException;

    @AfterEach
    final void unmount() throws IOException {
        session.close();
        assertThat(session.hasEnded()).isTrue();
        assertThat(MountTable.on(directory)).isEmpty();
    }

    final Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    @Test
    void givesBackWhatWasWritten() throws IOException {
        Path file = file("a", "first");
        assertThat(file).hasContent("first").hasSize(5);
        file("a", "2nd");
        assertThat(file).hasContent("2nd");
        Files.writeString(file, "+more", StandardOpenOption.APPEND);
        assertThat(file).hasContent("2nd+more");
    }

    @Test
    void carriesWritesAndReadsOfManyMegabytes() throws IOException {
        byte[] content = new byte[9_000_001];
        new java.util.Random(7).nextBytes(content);
        Path file = Files.write(directory.resolve("big"), content);
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
    }

    @Test
    void allocatesAndZeroesRanges() throws IOException {
        Path file = file("range", "abcdefgh");
        assertThat(Libc.fallocate(file, Libc.PUNCH_HOLE, 2, 2)).isZero();
        assertThat(Libc.fallocate(file, Libc.ZERO_RANGE, 6, 4)).isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo("ab\0\0ef\0\0\0\0".getBytes(UTF_8));
        assertThat(Libc.fallocate(file, 0, 0, 100)).isZero();
        assertThat(file).hasSize(100);
        assertThat(Libc.fallocate(file, Libc.KEEP_SIZE, 0, 200)).isZero();
        assertThat(file).hasSize(100);
        assertThat(Libc.fallocate(file, 8, 0, 4096)).isEqualTo(-Errno.EOPNOTSUPP.code());
    }

    @Test
    void createsExclusively() throws IOException {
        Path file = file("once", "");
        assertThatThrownBy(() -> Files.createFile(file)).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void renamesOverFilesAndMovesBetweenDirectories() throws IOException {
        Path from = file("from", "new");
        Path to = file("to", "old");
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        assertThat(to).hasContent("new");
        assertThat(from).doesNotExist();
        Path below = Files.createDirectory(directory.resolve("below"));
        Files.move(to, below.resolve("to"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(below.resolve("to")).hasContent("new");
        assertThat(to).doesNotExist();
    }

    @Test
    void renamesAsTheFlagsSay() throws IOException {
        Path a = file("a", "A");
        Path b = file("b", "B");
        assertThat(Libc.rename(a, b, Libc.RENAME_NOREPLACE)).isEqualTo(-Errno.EEXIST.code());
        assertThat(Libc.rename(a, b, Libc.RENAME_EXCHANGE)).isZero();
        assertThat(a).hasContent("B");
        assertThat(b).hasContent("A");
        assertThat(Libc.rename(a, directory.resolve("c"), Libc.RENAME_NOREPLACE))
                .isZero();
        assertThat(directory.resolve("c")).hasContent("B");
    }

    @Test
    void givesAFileSeveralNames() throws IOException {
        Path one = file("one", "same");
        Path two = Files.createLink(directory.resolve("two"), one);
        assertThat(Files.getAttribute(two, "unix:nlink")).isEqualTo(2);
        assertThat(Files.getAttribute(two, "unix:ino")).isEqualTo(Files.getAttribute(one, "unix:ino"));
        Files.writeString(two, "both");
        assertThat(one).hasContent("both");
        Files.delete(one);
        assertThat(two).hasContent("both");
        assertThat(Files.getAttribute(two, "unix:nlink")).isEqualTo(1);
    }

    @Test
    void followsSymbolicLinks() throws IOException {
        file("target", "found");
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("target"));
        assertThat(Files.readSymbolicLink(link)).isEqualTo(Path.of("target"));
        assertThat(link).hasContent("found");
        Path nowhere = Files.createSymbolicLink(directory.resolve("nowhere"), Path.of("absent"));
        assertThat(Files.exists(nowhere)).isFalse();
        assertThat(Files.exists(nowhere, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }

    @Test
    void makesOtherThanRegularFiles() throws IOException {
        Path pipe = directory.resolve("pipe");
        assertThat(Libc.mkfifo(pipe)).isZero();
        assertThat(Files.readAttributes(pipe, java.nio.file.attribute.BasicFileAttributes.class)
                        .isOther())
                .isTrue();
    }

    @Test
    void keepsAnUnlinkedFileWhileItIsOpen() throws IOException {
        Path file = file("gone", "still here");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.delete(file);
            assertThat(file).doesNotExist();
            ByteBuffer read = ByteBuffer.allocate(10);
            channel.read(read, 0);
            assertThat(new String(read.array(), UTF_8)).isEqualTo("still here");
            channel.write(ByteBuffer.wrap(new byte[5000]), 0);
            assertThat(channel.size()).isEqualTo(5000);
        }
    }

    @Test
    void keepsExtendedAttributes() throws IOException {
        Path file = file("x", "");
        UserDefinedFileAttributeView view = Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
        view.write("colour", ByteBuffer.wrap("red".getBytes(UTF_8)));
        view.write("shape", ByteBuffer.wrap("round".getBytes(UTF_8)));
        assertThat(view.list()).containsExactlyInAnyOrder("colour", "shape");
        ByteBuffer value = ByteBuffer.allocate(view.size("colour"));
        view.read("colour", value);
        assertThat(new String(value.array(), UTF_8)).isEqualTo("red");
        view.delete("colour");
        assertThat(view.list()).containsExactly("shape");
        assertThatThrownBy(() -> view.size("colour")).isInstanceOf(FileSystemException.class);
    }

    @Test
    void listsDirectoriesOfManyEntriesOnce() throws IOException {
        Path many = Files.createDirectory(directory.resolve("many"));
        List<String> expected = new ArrayList<>();
        for (int next = 0; next < 5000; next++) {
            String name = "a-name-that-is-not-so-short-" + next;
            Files.createFile(many.resolve(name));
            expected.add(name);
        }
        assertThat(names(many)).containsExactlyInAnyOrderElementsOf(expected);
        try (Stream<Path> all = Files.list(many)) {
            all.forEach(path -> assertThat(Libc.call("unlink", path.toString())).isZero());
        }
        assertThat(names(many)).isEmpty();
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).toList();
        }
    }

    @Test
    void removesDirectoriesThatAreEmpty() throws IOException {
        Path outer = Files.createDirectory(directory.resolve("outer"));
        Path inner = Files.createDirectory(outer.resolve("inner"));
        assertThat(Files.getAttribute(outer, "unix:nlink")).isEqualTo(3);
        assertThatThrownBy(() -> Files.delete(outer)).isInstanceOf(DirectoryNotEmptyException.class);
        Files.delete(inner);
        Files.delete(outer);
        assertThatThrownBy(() -> Files.list(outer)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void setsTimesOwnersAndPermissions() throws IOException {
        Path file = file("t", "");
        for (String text : new String[] {"1969-07-20T20:17:40Z", "2026-01-02T03:04:05.123456789Z"}) {
            Instant time = Instant.parse(text);
            Files.setLastModifiedTime(file, FileTime.from(time));
            assertThat(Files.getLastModifiedTime(file).toInstant()).isEqualTo(time);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
        Files.setAttribute(file, "unix:uid", 1234);
        Files.setAttribute(file, "unix:gid", 99);
        assertThat((int) Files.getAttribute(file, "unix:mode")).isEqualTo(FileMode.REGULAR | 0751);
        assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(1234);
        assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(99);
    }

    @Test
    void setsAttributesToZero() throws IOException {
        Path file = file("z", "content");
        Files.setAttribute(file, "unix:uid", 1234);
        Files.setAttribute(file, "unix:gid", 99);
        Files.setAttribute(file, "unix:uid", 0);
        Files.setAttribute(file, "unix:gid", 0);
        Files.setAttribute(file, "unix:mode", 0);
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        assertThat(Files.readAttributes(file, "unix:uid,gid,mode,lastModifiedTime"))
                .isEqualTo(Map.of(
                        "uid", 0, "gid", 0, "mode", FileMode.REGULAR, "lastModifiedTime", FileTime.fromMillis(0)));
    }

    @Test
    void throwsContentAwayWhenAFileIsOpenedForThat() throws IOException {
        Path file = file("t", "content");
        Files.newOutputStream(file, StandardOpenOption.TRUNCATE_EXISTING).close();
        assertThat(file).isEmptyFile();
        assertThat(Files.size(file)).isZero();
    }

    @Test
    void keepsExtendedAttributesWithoutAValue() throws IOException {
        UserDefinedFileAttributeView view =
                Files.getFileAttributeView(file("x", ""), UserDefinedFileAttributeView.class);
        view.write("flag", ByteBuffer.allocate(0));
        assertThat(view.list()).containsExactly("flag");
        assertThat(view.size("flag")).isZero();
    }

    @Test
    void takesSetIdBitsAwayWhenTheOwnerChanges() throws IOException {
        Path file = file("suid", "x");
        Files.setAttribute(file, "unix:mode", 06755);
        Files.setAttribute(file, "unix:uid", 1234);
        assertThat((int) Files.getAttribute(file, "unix:mode")).isEqualTo(FileMode.REGULAR | 0755);
    }

    @Test
    void letsTheKernelCheckPermissions() throws Exception {
        Path secret = file("secret", "for root only");
        Files.setAttribute(secret, "unix:mode", 0600);
        assertThat(asNobody("cat " + secret)).isNotZero();
        assertThat(asNobody("echo > " + directory.resolve("new"))).isNotZero();
        Files.setAttribute(secret, "unix:mode", 0604);
        assertThat(asNobody("cat " + secret)).isZero();
        Files.setAttribute(directory, "unix:mode", 0777);
        assertThat(asNobody("umask 027; echo > " + directory.resolve("new"))).isZero();
        assertThat(Files.getAttribute(directory.resolve("new"), "unix:uid")).isEqualTo(65534);
        assertThat((int) Files.getAttribute(directory.resolve("new"), "unix:mode"))
                .isEqualTo(FileMode.REGULAR | 0640);
    }

    @Test
    void takesSetIdBitsAwayWhenSomebodyWithoutPrivilegesWrites() throws Exception {
        for (String write : new String[] {"echo >> ", "echo > ", "truncate -s 0 "}) {
            Path file = file("suid", "x");
            Files.setAttribute(file, "unix:mode", 06777);
            assertThat(asNobody(write + file)).isZero();
            assertThat((int) Files.getAttribute(file, "unix:mode")).as(write).isEqualTo(FileMode.REGULAR | 0777);
        }
    }

    private static int asNobody(String command) throws IOException, InterruptedException {
        return new ProcessBuilder(
                        "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "sh", "-c", command)
                .redirectErrorStream(true)
                .start()
                .waitFor();
    }

    @Test
    void refusesNamesThatAreTooLong() {
        assertThatThrownBy(() -> file("n".repeat(256), ""))
                .isInstanceOf(FileSystemException.class)
                .hasMessageContaining("too long");
    }

    @Test
    void servesManyThreadsAtOnce() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            List<Future<?>> all = IntStream.range(0, 16)
                    .<Future<?>>mapToObj(thread -> threads.submit(() -> work(thread)))
                    .toList();
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(names(directory)).isEmpty();
    }

    private Void work(int thread) throws IOException {
        for (int round = 0; round < 50; round++) {
            Path file = file(thread + "-" + round, "content " + thread);
            Path moved = Files.move(file, directory.resolve("moved-" + thread));
            assertThat(moved).hasContent("content " + thread);
            Files.delete(moved);
        }
        return null;
    }

    @Test
    void appendsAndWritesInTheMiddle() throws IOException {
        Path file = file("a", "0123456789");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap("abc".getBytes(UTF_8)), 4);
            assertThat(file).hasContent("0123abc789");
            channel.force(true);
            channel.write(ByteBuffer.wrap("Z".getBytes(UTF_8)), 9);
            channel.write(ByteBuffer.wrap("!".getBytes(UTF_8)), 12);
            assertThat(channel.size()).isEqualTo(13);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo("0123abc78Z\0\0!".getBytes(UTF_8));
    }

    @Test
    void truncatesByNameAndByDescriptor() throws IOException {
        Path file = file("t", "0123456789");
        assertThat(Libc.call("truncate", file.toString(), 4L)).isZero();
        assertThat(file).hasContent("0123");
        assertThat(Libc.withFile(file, open -> Libc.call("ftruncate", open, 6L)))
                .isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo("0123\0\0".getBytes(UTF_8));
        assertThat(Libc.call("truncate", file.toString(), 0L)).isZero();
        assertThat(file).isEmptyFile();
    }

    @Test
    void keepsAFileThatIsRenamedOverWhileItIsOpen() throws IOException {
        Path old = file("old", "still here");
        Path other = file("other", "in its place");
        try (FileChannel channel = FileChannel.open(old, StandardOpenOption.READ)) {
            Files.move(other, old, StandardCopyOption.ATOMIC_MOVE);
            ByteBuffer read = ByteBuffer.allocate(10);
            channel.read(read, 0);
            assertThat(new String(read.array(), UTF_8)).isEqualTo("still here");
        }
        assertThat(old).hasContent("in its place");
    }

    @Test
    void countsLinksWhenNamesMove() throws IOException {
        Path one = file("one", "1");
        Path two = Files.createLink(directory.resolve("two"), one);
        Files.move(file("other", "2"), one, StandardCopyOption.ATOMIC_MOVE);
        assertThat(Files.getAttribute(two, "unix:nlink")).isEqualTo(1);
        Path from = Files.createDirectory(directory.resolve("from"));
        Path to = Files.createDirectory(directory.resolve("to"));
        Files.createDirectory(from.resolve("moved"));
        Files.move(from.resolve("moved"), to.resolve("moved"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(Files.getAttribute(from, "unix:nlink")).isEqualTo(2);
        assertThat(Files.getAttribute(to, "unix:nlink")).isEqualTo(3);
        assertThat(Libc.rename(from, to, 0)).isEqualTo(-Errno.ENOTEMPTY.code());
        Files.delete(to.resolve("moved"));
        assertThat(Libc.rename(from, to, 0)).isZero();
        assertThat(to).isEmptyDirectory();
    }

    @Test
    void changesTheTimesThatEachOperationChanges() throws IOException {
        Path file = file("f", "x");
        Path link = directory.resolve("link");
        assertThat(changedTimes(file, () -> Files.setAttribute(file, "unix:mode", 0600)))
                .isEqualTo("changed");
        assertThat(changedTimes(file, () -> Files.createLink(link, file))).isEqualTo("changed");
        assertThat(changedTimes(file, () -> Files.delete(link))).isEqualTo("changed");
        assertThat(changedTimes(file, () -> Files.writeString(file, "y"))).isEqualTo("modified changed");
        assertThat(changedTimes(file, () -> Libc.call("truncate", file.toString(), 0L)))
                .isEqualTo("modified changed");
        assertThat(changedTimes(directory, () -> Files.createFile(link))).isEqualTo("modified changed");
        assertThat(changedTimes(directory, () -> Files.delete(link))).isEqualTo("modified changed");
        assertThat(changedTimes(directory, () -> Files.writeString(file, "z"))).isEmpty();
    }

    /** What a test does to a file. */
    @FunctionalInterface
    interface Change {
        void run() throws IOException;
    }

    private static String changedTimes(Path path, Change change) throws IOException {
        Object modified = Files.getAttribute(path, "unix:lastModifiedTime");
        Object changed = Files.getAttribute(path, "unix:ctime");
        change.run();
        return Stream.of(
                        modified.equals(Files.getAttribute(path, "unix:lastModifiedTime")) ? "" : "modified",
                        changed.equals(Files.getAttribute(path, "unix:ctime")) ? "" : "changed")
                .filter(name -> !name.isEmpty())
                .collect(Collectors.joining(" "));
    }

    @Test
    void keepsTheTimesThatACopySetsBeforeItCloses() throws Exception {
        Path source = file("source", "content");
        Files.setLastModifiedTime(source, FileTime.from(Instant.parse("2020-02-02T02:02:02.5Z")));
        Path copy = directory.resolve("copy");
        Process copying = new ProcessBuilder("cp", "-p", source.toString(), copy.toString())
                .inheritIO()
                .start();
        assertThat(copying.waitFor()).isZero();
        assertThat(copy).hasContent("content");
        assertThat(Files.getLastModifiedTime(copy)).isEqualTo(Files.getLastModifiedTime(source));
    }
}
