// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The storage as {@code java.nio.file} finds it by a URI, over real nodes and a real ZooKeeper. */
final class AlbmFileSystemOverNodesTest {
    @TempDir
    Path dir;

    private StorageRig rig;
    private URI uri;

    @BeforeEach
    void start() throws IOException {
        rig = StorageRig.start(dir, 5);
        rig.announce();
        uri = URI.create("albm://" + StorageRig.CLUSTER + "@" + rig.zooKeeper() + "/");
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    @Test
    void isFoundByItsUriAndKeepsFilesWithANodeLost() throws IOException {
        byte[] content = StorageRig.content(9_000_001, 1);
        try (FileSystem opened = FileSystems.newFileSystem(uri, Map.of())) {
            Path file = Path.of(uri.resolve("/runs/7/result"));
            assertThat(file.getFileSystem()).isSameAs(opened);
            Files.createDirectories(file.getParent());
            Files.write(file, content);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(StorageRig.content(1000, 2)), 4_000_000);
                channel.force(true);
            }
            System.arraycopy(StorageRig.content(1000, 2), 0, content, 4_000_000, 1000);
            try (var in = rig.store().open("/runs/7/result")) {
                assertThat(in.readAllBytes()).isEqualTo(content);
            }
            rig.stopNode("n-2");
            assertThat(Files.readAllBytes(file)).isEqualTo(content);
        }
        assertThatExceptionOfType(FileSystemNotFoundException.class).isThrownBy(() -> Path.of(uri));
    }

    @Test
    void namesArePartOfOneTreeWithWhatOthersStore() throws IOException {
        Path local = Files.write(dir.resolve("local"), StorageRig.content(2_000_000, 3));
        try (FileSystem opened = FileSystems.newFileSystem(uri, Map.of("parity", 2))) {
            Path copied = Files.copy(local, opened.getPath("/copied"));
            Path directory = Files.createDirectory(opened.getPath("/directory"));
            Path moved = Files.move(copied, directory.resolve("moved"), StandardCopyOption.ATOMIC_MOVE);
            assertThat(rig.store().stat("/directory/moved").orElseThrow().length())
                    .isEqualTo(2_000_000);
            assertThatThrownBy(() -> Files.delete(directory)).isInstanceOf(DirectoryNotEmptyException.class);
            try (Stream<Path> all = Files.walk(opened.getPath("/"))) {
                assertThat(all).containsExactly(opened.getPath("/"), directory, moved);
            }
            assertThat(Files.getFileStore(moved).getTotalSpace()).isPositive();
        }
    }

    @Test
    void saysWhatIsWrongWithAUri() throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FileSystems.newFileSystem(URI.create("albm:///path"), Map.of()))
                .withMessageContaining("it names no server");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FileSystems.newFileSystem(URI.create("albm://No_Name@a:1/"), Map.of()))
                .withMessageContaining("cluster 'No_Name'");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> FileSystems.newFileSystem(URI.create("albm://127.0.0.1:1/"), Map.of()))
                .withMessageContaining("albm://127.0.0.1:1/: ZooKeeper 127.0.0.1:1 does not answer");
    }
}
