// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies and moves within a storage, to another, and to and from the default file system. */
final class CopyingTest {
    @TempDir
    Path local;

    private final LocalFiles files = new LocalFiles();
    private final LocalFiles elsewhere = new LocalFiles();
    private FileSystem albm;
    private FileSystem away;
    private Path a;
    private Path b;

    @BeforeEach
    void open() throws IOException {
        albm = files.open(LocalFiles.FIRST);
        away = elsewhere.open(LocalFiles.SECOND);
        a = albm.getPath("/a");
        b = albm.getPath("/b");
    }

    @AfterEach
    void close() throws IOException {
        albm.close();
        away.close();
    }

    @Test
    void copiesBetweenTheDefaultFileSystemAndTheStorage() throws IOException {
        byte[] content = new byte[3_000_001];
        new Random(1).nextBytes(content);
        Path here = Files.write(local.resolve("file"), content);
        Files.copy(here, a);
        assertThat(a).hasBinaryContent(content);
        Files.copy(a, local.resolve("back"));
        assertThat(local.resolve("back")).hasBinaryContent(content);
        Files.move(a, here, REPLACE_EXISTING);
        assertThat(a).doesNotExist();
        Files.move(here, b);
        assertThat(b).hasBinaryContent(content);
        assertThat(here).doesNotExist();
    }

    @Test
    void copiesAFileWithItsPermissionsAndIfToldToItsTimesAndOwners() throws IOException {
        Files.writeString(a, "content");
        Files.setPosixFilePermissions(a, PosixFilePermissions.fromString("rwx-w---x"));
        Files.setOwner(a, albm.getUserPrincipalLookupService().lookupPrincipalByName("17"));
        Files.setLastModifiedTime(a, FileTime.fromMillis(1000));
        Path plain = Files.copy(a, b);
        Path whole = Files.copy(a, albm.getPath("/c"), COPY_ATTRIBUTES);
        assertThat(plain).hasContent("content");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(plain)))
                .isEqualTo("rwx-w---x");
        assertThat(Files.getOwner(plain)).hasToString("7");
        assertThat(Files.getOwner(whole)).hasToString("17");
        assertThat(Files.getLastModifiedTime(whole)).isEqualTo(FileTime.fromMillis(1000));
        assertThat(Files.getLastModifiedTime(plain)).isNotEqualTo(FileTime.fromMillis(1000));
    }

    @Test
    void copiesOverAFileOnlyIfToldTo() throws IOException {
        Files.writeString(a, "a");
        Files.writeString(b, "b");
        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> Files.copy(a, b))
                .withMessage("/b");
        assertThat(b).hasContent("b");
        Files.copy(a, b, REPLACE_EXISTING);
        assertThat(b).hasContent("a");
        Files.copy(a, a);
        assertThat(a).hasContent("a");
        assertThatThrownBy(() -> Files.copy(albm.getPath("/none"), b, REPLACE_EXISTING))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(b).hasContent("a");
        assertThatThrownBy(() -> Files.copy(a, b, ATOMIC_MOVE)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void leavesNothingOfACopyThatFails() throws IOException {
        Files.write(a, new byte[3_000_000]);
        files.storage.nodes().forEach(files.storage.blocks()::lose);
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.copy(a, b))
                .withMessageContaining("/a: ");
        assertThat(b).doesNotExist();
    }

    @Test
    void copiesADirectoryWithoutItsEntries() throws IOException {
        Files.createDirectories(a.resolve("below"));
        Files.copy(a, b);
        assertThat(b).isEmptyDirectory();
        assertThatThrownBy(() -> Files.copy(b, a, REPLACE_EXISTING)).isInstanceOf(DirectoryNotEmptyException.class);
    }

    @Test
    void copiesALinkOrWhatItSays() throws IOException {
        Files.writeString(a, "a");
        Path link = Files.createSymbolicLink(albm.getPath("/link"), albm.getPath("a"));
        Files.copy(link, b);
        assertThat(Files.isSymbolicLink(b)).isFalse();
        Path copied = Files.copy(link, albm.getPath("/copied"), NOFOLLOW_LINKS);
        assertThat(Files.readSymbolicLink(copied)).isEqualTo(albm.getPath("a"));
    }

    @Test
    void movesOverAFileOnlyIfToldTo() throws IOException {
        Files.writeString(a, "a");
        Files.writeString(b, "b");
        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> Files.move(a, b))
                .withMessage("/b");
        Files.move(a, b, REPLACE_EXISTING);
        assertThat(a).doesNotExist();
        assertThat(b).hasContent("a");
        Files.writeString(a, "again");
        Files.move(a, b, ATOMIC_MOVE);
        assertThat(b).hasContent("again");
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> Files.move(a, b))
                .withMessage("/a");
        Files.move(b, b);
        assertThat(b).hasContent("again");
    }

    @Test
    void movesADirectoryWithAllThatIsInIt() throws IOException {
        Files.createDirectories(a.resolve("below"));
        Files.move(a, b);
        assertThat(b.resolve("below")).isDirectory();
        assertThatExceptionOfType(FileSystemException.class)
                .isThrownBy(() -> Files.move(b, b.resolve("below/in")))
                .withMessageContaining("a directory is to be moved into itself");
        Files.writeString(a, "a");
        assertThatThrownBy(() -> Files.move(a, b, REPLACE_EXISTING)).isInstanceOf(DirectoryNotEmptyException.class);
        assertThatThrownBy(() -> Files.move(a, b, ATOMIC_MOVE)).isInstanceOf(FileSystemException.class);
        Files.delete(b.resolve("below"));
        Files.move(a, b, REPLACE_EXISTING);
        assertThat(b).hasContent("a");
        Files.createDirectory(a);
        Files.move(a, b, REPLACE_EXISTING);
        assertThat(b).isEmptyDirectory();
    }

    @Test
    void movesNamesOfOneFileOntoEachOtherWithoutEffect() throws IOException {
        Files.writeString(a, "a");
        Files.createLink(b, a);
        Files.move(a, b);
        assertThat(a).hasContent("a");
        assertThat(b).hasContent("a");
    }

    @Test
    void movesToAnotherStorageByCopying() throws IOException {
        Files.writeString(a, "a");
        Files.setLastModifiedTime(a, FileTime.fromMillis(1000));
        Path there = away.getPath("/there");
        assertThatThrownBy(() -> files.provider.move(a, there, ATOMIC_MOVE))
                .isInstanceOf(AtomicMoveNotSupportedException.class);
        files.provider.move(a, there);
        assertThat(a).doesNotExist();
        assertThat(there).hasContent("a");
        assertThat(Files.getLastModifiedTime(there)).isEqualTo(FileTime.fromMillis(1000));
        Files.createDirectories(b.resolve("below"));
        assertThatThrownBy(() -> files.provider.move(b, away.getPath("/b")))
                .isInstanceOf(DirectoryNotEmptyException.class);
        assertThat(away.getPath("/b")).doesNotExist();
    }
}
