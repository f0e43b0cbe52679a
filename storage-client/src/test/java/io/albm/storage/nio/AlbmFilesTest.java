// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.storage.PutMode;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names and attributes through {@link Files}. */
final class AlbmFilesTest {
    private final LocalFiles files = new LocalFiles();
    private FileSystem albm;
    private Path root;

    @BeforeEach
    void open() throws IOException {
        albm = files.open(LocalFiles.FIRST);
        root = albm.getPath("/");
    }

    @AfterEach
    void close() throws IOException {
        albm.close();
    }

    private Path written(String path) throws IOException {
        return Files.writeString(root.resolve(path), path);
    }

    @Test
    void showsWhatOthersHaveStored() throws IOException {
        new StripedStore(files.storage.files()).writeBytes("/runs/7/a", new byte[] {1, 2}, PutMode.CREATE);
        assertThat(root.resolve("runs/7/a")).hasBinaryContent(new byte[] {1, 2});
        assertThat(root.resolve("runs")).isDirectory();
        Files.writeString(root.resolve("runs/7/b"), "text");
        assertThat(new StripedStore(files.storage.files())
                        .stat("/runs/7/b")
                        .orElseThrow()
                        .length())
                .isEqualTo(4);
    }

    @Test
    void makesAFileOnce() throws IOException {
        Path file = Files.createFile(root.resolve("file"));
        assertThat(file).isEmptyFile();
        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> Files.createFile(file))
                .withMessage("/file");
    }

    @Test
    void makesDirectories() throws IOException {
        Path deep = Files.createDirectories(root.resolve("a/b/c"));
        assertThat(deep).isDirectory();
        Files.createDirectories(deep);
        assertThatThrownBy(() -> Files.createDirectory(deep)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> Files.createDirectory(root)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> Files.createDirectory(root.resolve("x/y")))
                .withMessage("/x/y");
        written("file");
        assertThatExceptionOfType(NotDirectoryException.class)
                .isThrownBy(() -> Files.createDirectory(root.resolve("file/y")))
                .withMessage("/file");
    }

    @Test
    void deletesWhatIsThere() throws IOException {
        Path directory = Files.createDirectory(root.resolve("directory"));
        Path file = written("directory/file");
        assertThatExceptionOfType(DirectoryNotEmptyException.class)
                .isThrownBy(() -> Files.delete(directory))
                .withMessage("/directory");
        Files.delete(file);
        Files.delete(directory);
        assertThatThrownBy(() -> Files.delete(directory)).isInstanceOf(NoSuchFileException.class);
        assertThat(Files.deleteIfExists(directory)).isFalse();
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.delete(root))
                .withMessage("/: is the root, which stays");
        assertThat(files.storage.blocks().count()).isZero();
    }

    @Test
    void listsDirectoriesOfAnySize() throws IOException {
        List<String> names =
                IntStream.range(0, 700).mapToObj("f%03d"::formatted).toList();
        for (String name : names) {
            Files.createFile(root.resolve(name));
        }
        try (Stream<Path> all = Files.list(root)) {
            assertThat(all.map(Path::toString).toList())
                    .isEqualTo(names.stream().map("/"::concat).toList());
        }
        try (DirectoryStream<Path> some = Files.newDirectoryStream(root, "f?00")) {
            assertThat(some).hasSize(7);
            assertThatThrownBy(some::iterator).isInstanceOf(IllegalStateException.class);
        }
        assertThatExceptionOfType(NotDirectoryException.class)
                .isThrownBy(() -> Files.newDirectoryStream(root.resolve("f000")))
                .withMessage("/f000");
        assertThatThrownBy(() -> Files.newDirectoryStream(root.resolve("none")))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void entriesOfARelativeDirectoryAreRelative() throws IOException {
        Files.createDirectory(root.resolve("d"));
        written("d/f");
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(albm.getPath("d"))) {
            assertThat(entries).containsExactly(albm.getPath("d/f"));
        }
    }

    @Test
    void walksATree() throws IOException {
        Files.createDirectories(root.resolve("a/b"));
        written("a/1");
        written("a/b/2");
        Files.createSymbolicLink(root.resolve("a/b/up"), albm.getPath(".."));
        List<String> seen = new ArrayList<>();
        Files.walkFileTree(root.resolve("a"), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                seen.add(file.toString());
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                seen.add(directory + "/");
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(seen).containsExactly("/a/1", "/a/b/2", "/a/b/up", "/a/b/", "/a/");
    }

    @Test
    void findsALoopByTheKeysOfFiles() throws IOException {
        Files.createDirectories(root.resolve("a/b"));
        Files.createSymbolicLink(root.resolve("a/b/up"), albm.getPath(".."));
        try (Stream<Path> walk = Files.walk(root.resolve("a"), java.nio.file.FileVisitOption.FOLLOW_LINKS)) {
            assertThatThrownBy(walk::toList).hasCauseInstanceOf(FileSystemLoopException.class);
        }
    }

    @Test
    void followsSymbolicLinks() throws IOException {
        Files.createDirectories(root.resolve("a/b"));
        written("a/b/file");
        Path relative = Files.createSymbolicLink(root.resolve("a/relative"), albm.getPath("b/../b/file"));
        Path absolute = Files.createSymbolicLink(root.resolve("a/absolute"), albm.getPath("/a/relative"));
        assertThat(Files.readString(absolute)).isEqualTo("a/b/file");
        assertThat(Files.readSymbolicLink(relative)).isEqualTo(albm.getPath("b/../b/file"));
        assertThat(absolute.toRealPath()).isEqualTo(root.resolve("a/b/file"));
        assertThat(root.resolve("a/./b/../relative").toRealPath(LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(relative);
        assertThat(Files.isSymbolicLink(absolute)).isTrue();
        assertThat(Files.isSameFile(absolute, root.resolve("a/b/file"))).isTrue();
        assertThat(Files.isSameFile(absolute, root)).isFalse();
        Files.delete(absolute);
        assertThat(relative).exists();
        assertThatThrownBy(() -> Files.readSymbolicLink(root)).isInstanceOf(NotLinkException.class);
        assertThatThrownBy(() -> Files.createSymbolicLink(relative, root))
                .isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void dotsLeadBackFromWhereALinkLed() throws IOException {
        Files.createDirectories(root.resolve("a/b"));
        written("a/file");
        Files.createSymbolicLink(root.resolve("link"), albm.getPath("a/b"));
        assertThat(Files.readString(root.resolve("link/../file"))).isEqualTo("a/file");
        assertThat(Files.isSameFile(root.resolve("link/../.."), root)).isTrue();
        assertThat(Files.isSameFile(root.resolve("../.."), root)).isTrue();
        assertThat(root.resolve("link/..").toRealPath()).isEqualTo(root.resolve("a"));
        assertThat(root.resolve("link/..").toRealPath(LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(root.resolve("link/.."));
    }

    @Test
    void followsNoLinkForEver() throws IOException {
        Path loop = Files.createSymbolicLink(root.resolve("loop"), albm.getPath("loop"));
        Path dangling = Files.createSymbolicLink(root.resolve("dangling"), albm.getPath("none"));
        assertThatThrownBy(() -> Files.size(loop)).isInstanceOf(FileSystemLoopException.class);
        assertThat(Files.exists(dangling)).isFalse();
        assertThat(Files.exists(dangling, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThatThrownBy(() -> Files.createFile(dangling)).isInstanceOf(FileAlreadyExistsException.class);
        Files.writeString(dangling, "made");
        assertThat(root.resolve("none")).hasContent("made");
    }

    @Test
    void givesAFileTwoNames() throws IOException {
        Path first = written("first");
        Path second = Files.createLink(root.resolve("second"), first);
        Files.delete(first);
        assertThat(second).hasContent("first");
        assertThatThrownBy(() -> Files.createLink(second, root.resolve("none")))
                .isInstanceOf(NoSuchFileException.class);
        Path directory = Files.createDirectory(root.resolve("directory"));
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.createLink(root.resolve("again"), directory))
                .withMessage("/directory -> /again: is a directory");
    }

    @Test
    void keepsAttributes() throws IOException {
        Path file = Files.createFile(
                root.resolve("file"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x--x")));
        PosixFileAttributes made = Files.readAttributes(file, PosixFileAttributes.class);
        assertThat(PosixFilePermissions.toString(made.permissions())).isEqualTo("rwxr-x--x");
        assertThat(made.owner()).hasToString("7");
        assertThat(made.group()).hasToString("8");
        assertThat(made.isRegularFile()).isTrue();
        assertThat(Files.isExecutable(file)).isTrue();

        FileTime time = FileTime.from(Instant.parse("2001-02-03T04:05:06.000000007Z"));
        Files.setLastModifiedTime(file, time);
        Files.setPosixFilePermissions(file, Set.of(PosixFilePermission.OTHERS_WRITE));
        Files.setOwner(file, albm.getUserPrincipalLookupService().lookupPrincipalByName("17"));
        Files.getFileAttributeView(file, PosixFileAttributeView.class)
                .setGroup(albm.getUserPrincipalLookupService().lookupPrincipalByGroupName("18"));
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(time);
        assertThat(Files.getOwner(file)).hasToString("17");
        assertThat(Files.readAttributes(file, "posix:permissions,group,size"))
                .hasEntrySatisfying("permissions", set -> assertThat(set).hasToString("[OTHERS_WRITE]"))
                .hasEntrySatisfying("group", group -> assertThat(group).hasToString("18"))
                .containsEntry("size", 0L)
                .hasSize(3);
        assertThatThrownBy(() -> albm.getUserPrincipalLookupService().lookupPrincipalByName("root"))
                .isInstanceOf(UserPrincipalNotFoundException.class);
    }

    @Test
    void takesAttributesByTheirNames() throws IOException {
        Path file = written("file");
        FileTime time = FileTime.fromMillis(1000);
        Files.setAttribute(file, "lastAccessTime", time);
        Files.setAttribute(file, "posix:permissions", PosixFilePermissions.fromString("r--------"));
        Files.setAttribute(
                file, "posix:group", albm.getUserPrincipalLookupService().lookupPrincipalByGroupName("9"));
        Files.setAttribute(
                file, "owner:owner", albm.getUserPrincipalLookupService().lookupPrincipalByName("10"));
        assertThat(Files.readAttributes(file, "*"))
                .containsEntry("lastAccessTime", time)
                .hasSize(9);
        assertThat(Files.readAttributes(file, "posix:*")).hasSize(12);
        assertThat(Files.readAttributes(file, "owner:owner")).hasToString("{owner=10}");
        assertThat(Files.getAttribute(file, "posix:permissions")).hasToString("[OWNER_READ]");
        assertThatThrownBy(() -> Files.setAttribute(file, "size", 1L)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Files.getAttribute(file, "none")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Files.getAttribute(file, "dos:hidden"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> Files.createDirectory(root.resolve("d"), new Strange()))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    private record Strange() implements java.nio.file.attribute.FileAttribute<String> {
        @Override
        public String name() {
            return "strange";
        }

        @Override
        public String value() {
            return "";
        }
    }

    @Test
    void changesALinkItselfIfToldTo() throws IOException {
        Path file = written("file");
        Path link = Files.createSymbolicLink(root.resolve("link"), file);
        FileTime time = FileTime.fromMillis(1000);
        Files.setAttribute(link, "lastModifiedTime", time, LinkOption.NOFOLLOW_LINKS);
        assertThat(Files.getLastModifiedTime(link, LinkOption.NOFOLLOW_LINKS)).isEqualTo(time);
        assertThat(Files.getLastModifiedTime(file)).isNotEqualTo(time);
    }

    @Test
    void mayDoWhatRootMay() throws IOException {
        Path file = written("file");
        Files.setPosixFilePermissions(file, Set.of());
        assertThat(Files.isReadable(file)).isTrue();
        assertThat(Files.isWritable(file)).isTrue();
        assertThat(Files.isExecutable(file)).isFalse();
        assertThat(Files.isExecutable(root)).isTrue();
        assertThatExceptionOfType(AccessDeniedException.class)
                .isThrownBy(() -> files.provider.checkAccess(file, java.nio.file.AccessMode.EXECUTE))
                .withMessage("/file: nobody may execute it");
        assertThat(Files.isReadable(root.resolve("none"))).isFalse();
    }

    @Test
    void hidesNamesWithADot() throws IOException {
        assertThat(Files.isHidden(root.resolve(".a"))).isTrue();
        assertThat(Files.isHidden(root.resolve("a"))).isFalse();
        assertThat(Files.isHidden(root)).isFalse();
    }

    @Test
    void showsTheRoomOfTheStorage() throws IOException {
        FileStore store = Files.getFileStore(written("file"));
        assertThat(store.type()).isEqualTo("albm");
        assertThat(store.name()).isEqualTo("albm://127.0.0.1:2181/");
        assertThat(store.getTotalSpace()).isPositive();
        assertThat(store.getUsableSpace()).isPositive().isLessThanOrEqualTo(store.getTotalSpace());
        assertThat(store.getAttribute("totalSpace")).isEqualTo(store.getTotalSpace());
        assertThat(store.supportsFileAttributeView(PosixFileAttributeView.class))
                .isTrue();
        assertThat(albm.getFileStores()).containsExactly(store);
        assertThatThrownBy(() -> Files.getFileStore(root.resolve("none"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void saysWhyANameCannotBe() {
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.createFile(root.resolve("n".repeat(256))))
                .withMessageEndingWith("n: a name may have 255 bytes, a path 1024");
    }
}
