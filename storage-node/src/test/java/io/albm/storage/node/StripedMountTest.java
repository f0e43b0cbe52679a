// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.albm.core.cli.Commands;
import io.albm.core.cli.ExitCode;
import io.albm.storage.PutMode;
import io.albm.storage.command.StorageCommands;
import io.albm.storage.fuse.FuseSession;
import io.albm.storage.mount.StripedFileSystem;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The storage through a real mount, over real nodes. */
@EnabledIf(value = "isPossible", disabledReason = "mounting takes /dev/fuse and root")
class StripedMountTest {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @TempDir
    Path dir;

    private final StringWriter err = new StringWriter();
    private Path mounted;
    private StorageRig rig;
    private FuseSession session;

    static boolean isPossible() {
        return Files.exists(Path.of("/dev/fuse")) && "root".equals(System.getProperty("user.name"));
    }

    @BeforeEach
    void mount() throws IOException {
        rig = StorageRig.start(dir, 5);
        mounted = Files.createDirectory(dir.resolve("mounted"));
        session = FuseSession.mount(
                new StripedFileSystem(rig.leasedStore().files(), PATIENCE), mounted, StripedFileSystem.OPTIONS);
    }

    @AfterEach
    void unmount() throws IOException {
        session.close();
        assertThat(session.hasEnded()).isTrue();
        rig.close();
    }

    private void put(String path, String content) throws IOException {
        rig.store().writeBytes(path, content.getBytes(UTF_8), PutMode.CREATE);
    }

    @Test
    void storesWhatIsWrittenFromStartToEnd() throws IOException {
        byte[] content = StorageRig.content(3_000_001, 1);
        Files.write(mounted.resolve("file"), content);
        try (var in = rig.store().open("/file")) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
        assertThat(Files.readAllBytes(mounted.resolve("file"))).isEqualTo(content);
        assertThat(Files.size(mounted.resolve("file"))).isEqualTo(3_000_001);
    }

    @Test
    void readsAtAnyOffset() throws IOException {
        byte[] content = StorageRig.content(2_000_003, 2);
        rig.store().writeBytes("/a/file", content, PutMode.CREATE);
        try (FileChannel channel = FileChannel.open(mounted.resolve("a/file"))) {
            for (int offset : new int[] {1_999_000, 0, 262_143, 1_000_000, 65_536, 2_000_003}) {
                ByteBuffer target = ByteBuffer.allocate(5000);
                int count = Math.max(0, channel.read(target, offset));
                assertThat(count).isEqualTo(Math.min(5000, content.length - offset));
                assertThat(target.slice(0, count)).isEqualTo(ByteBuffer.wrap(content, offset, count));
            }
        }
    }

    @Test
    void showsAFileToOthersWhenItIsClosed() throws IOException {
        try (OutputStream out = Files.newOutputStream(mounted.resolve("late"), StandardOpenOption.CREATE_NEW)) {
            out.write(1);
            assertThat(rig.store().stat("/late").orElseThrow().length()).isZero();
            assertThat(Files.size(mounted.resolve("late"))).isEqualTo(1);
        }
        assertThat(rig.store().stat("/late").orElseThrow().length()).isEqualTo(1);
    }

    @Test
    void replacesAFileThatIsTruncated() throws IOException {
        put("/twice", "old");
        assertThatThrownBy(() -> Files.createFile(mounted.resolve("twice")))
                .isInstanceOf(FileAlreadyExistsException.class);
        Files.writeString(mounted.resolve("twice"), "newer");
        assertThat(mounted.resolve("twice")).hasContent("newer");
    }

    @Test
    void keepsAnEmptyFile() throws IOException {
        Files.createFile(mounted.resolve("empty"));
        assertThat(mounted.resolve("empty")).isEmptyFile();
        session.close();
        assertThat(rig.store().stat("/empty")).isPresent();
    }

    @Test
    void storesWhatWasWrittenWhenItIsCutOff() throws IOException {
        put("/half", "old");
        try (OutputStream out = Files.newOutputStream(mounted.resolve("half"))) {
            out.write(1);
            session.close();
            assertThatThrownBy(() -> out.write(2)).hasMessageContaining("not connected");
        } catch (IOException closingTellsTheSame) {
            assertThat(closingTellsTheSame).hasMessageContaining("not connected");
        }
        try (var in = rig.store().open("/half")) {
            assertThat(in.readAllBytes()).containsExactly(1);
        }
    }

    @Test
    void listsFilesAndTheDirectoriesThatTheirPathsMake() throws IOException {
        put("/top", "1");
        put("/runs/7/a", "22");
        put("/runs/7/b", "333");
        put("/runs/8/c", "4444");
        assertThat(names(mounted)).containsExactlyInAnyOrder("top", "runs");
        assertThat(names(mounted.resolve("runs"))).containsExactlyInAnyOrder("7", "8");
        assertThat(names(mounted.resolve("runs/7"))).containsExactlyInAnyOrder("a", "b");
        assertThat(mounted.resolve("runs")).isDirectory();
        assertThat(mounted.resolve("runs/8/c")).isRegularFile().hasContent("4444");
        assertThatThrownBy(() -> Files.size(mounted.resolve("runs/9"))).isInstanceOf(NoSuchFileException.class);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(path -> path.getFileName().toString()).toList();
        }
    }

    @Test
    void removesFiles() throws IOException {
        put("/a/gone", "x");
        Files.delete(mounted.resolve("a/gone"));
        assertThat(rig.store().stat("/a/gone")).isEmpty();
        assertThatThrownBy(() -> Files.delete(mounted.resolve("absent"))).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void removesDirectoriesThatAreEmpty() throws Exception {
        put("/d/e/f", "x");
        put("/d/g", "y");
        assertThatThrownBy(() -> Files.delete(mounted.resolve("d"))).isInstanceOf(DirectoryNotEmptyException.class);
        Process remove = new ProcessBuilder("rm", "-r", mounted.resolve("d").toString())
                .inheritIO()
                .start();
        assertThat(remove.waitFor()).isZero();
        assertThat(rig.store().list("/")).isEmpty();
        assertThat(names(mounted)).isEmpty();
    }

    @Test
    void keepsAFileThatIsRemovedWhileItIsWrittenAsLongAsItIsOpen() throws IOException {
        Path file = mounted.resolve("gone");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(StorageRig.content(2_000_000, 4)));
            channel.force(true);
            Files.delete(file);
            assertThat(rig.store().stat("/gone")).isEmpty();
            ByteBuffer target = ByteBuffer.allocate(2_000_000);
            while (target.hasRemaining() && channel.read(target, target.position()) > 0) {
                // Ends with the file.
            }
            assertThat(target.array()).isEqualTo(StorageRig.content(2_000_000, 4));
        }
        await().untilAsserted(() -> assertThat(rig.blockFiles("n-1")).isEmpty());
    }

    @Test
    void showsTheRoomOfAllNodes() throws IOException {
        FileStore store = Files.getFileStore(mounted);
        assertThat(store.getTotalSpace()).isEqualTo(rig.store().space().capacity() / 4096 * 4096);
        assertThat(store.type()).isEqualTo("fuse.albm");
    }

    @Test
    void changesFilesInPlace() throws IOException {
        byte[] content = StorageRig.content(3_000_000, 5);
        rig.store().writeBytes("/there", content, PutMode.CREATE);
        Path there = mounted.resolve("there");
        try (FileChannel channel = FileChannel.open(there, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(StorageRig.content(100_000, 6)), 1_000_000);
            System.arraycopy(StorageRig.content(100_000, 6), 0, content, 1_000_000, 100_000);
            assertThat(Files.readAllBytes(there)).isEqualTo(content);
        }
        Files.writeString(there, "more", StandardOpenOption.APPEND);
        byte[] longer = Arrays.copyOf(content, 3_000_004);
        System.arraycopy("more".getBytes(UTF_8), 0, longer, 3_000_000, 4);
        try (var in = rig.store().open("/there")) {
            assertThat(in.readAllBytes()).isEqualTo(longer);
        }
    }

    @Test
    void movesLinksAndMakesDirectories() throws IOException {
        put("/there", "content");
        Path directory = Files.createDirectory(mounted.resolve("directory"));
        Path moved = Files.move(mounted.resolve("there"), directory.resolve("moved"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(rig.store().stat("/there")).isEmpty();
        assertThat(rig.store().stat("/directory/moved")).isPresent();
        Path second = Files.createLink(mounted.resolve("second"), moved);
        Path symbolic = Files.createSymbolicLink(mounted.resolve("symbolic"), Path.of("directory/moved"));
        assertThat(second).hasContent("content");
        assertThat(symbolic).hasContent("content");
        Files.setAttribute(moved, "unix:mode", 0600);
        assertThat((int) Files.getAttribute(second, "unix:mode") & 0777).isEqualTo(0600);
        Files.delete(moved);
        assertThat(directory).isEmptyDirectory();
        assertThat(second).hasContent("content");
    }

    @Test
    void readsWithOneNodeLostAndFailsWithinABoundWithAllLost() throws IOException {
        byte[] content = StorageRig.content(1_000_000, 3);
        rig.store().writeBytes("/kept", content, PutMode.CREATE);
        rig.stopNode("n-1");
        assertThat(Files.readAllBytes(mounted.resolve("kept"))).isEqualTo(content);
        for (int node = 2; node <= 5; node++) {
            rig.stopNode("n-" + node);
        }
        assertThatThrownBy(() -> Files.readAllBytes(mounted.resolve("kept")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Input/output error");
        assertThat(Files.size(mounted.resolve("kept"))).isEqualTo(1_000_000);
    }

    @Test
    void mountsByCommandUntilSomebodyUnmounts() throws Exception {
        put("/by-command", "yes");
        rig.announce();
        Path other = Files.createDirectory(dir.resolve("other"));
        CompletableFuture<Integer> command =
                CompletableFuture.supplyAsync(() -> Commands.commandLine(StorageCommands.mount())
                        .execute(other.toString(), "--zookeeper", rig.zooKeeper(), "--cluster", StorageRig.CLUSTER));
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(other.resolve("by-command")));
        assertThat(other.resolve("by-command")).hasContent("yes");
        assertThat(mountByCommand(other)).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString())
                .contains(other + ": is mounted by a process that is alive")
                .hasLineCount(1);
        assertThat(new ProcessBuilder("umount", other.toString()).start().waitFor())
                .isZero();
        assertThat(command.get()).isEqualTo(ExitCode.DONE);
    }

    @Test
    void saysThatThereIsNoDirectory() {
        rig.announce();
        assertThat(mountByCommand(dir.resolve("absent"))).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).contains("absent: is no directory").hasLineCount(1);
    }

    private int mountByCommand(Path directory) {
        CommandLine line = Commands.commandLine(StorageCommands.mount());
        line.setErr(new PrintWriter(err, true));
        return line.execute(directory.toString(), "--zookeeper", rig.zooKeeper(), "--cluster", StorageRig.CLUSTER);
    }
}
