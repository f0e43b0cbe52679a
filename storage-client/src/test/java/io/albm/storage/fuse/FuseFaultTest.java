// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What goes wrong: in operations, in the process that serves, and at the mount point. */
@EnabledIf(value = "io.albm.storage.fuse.Mounting#isPossible", disabledReason = Mounting.REASON)
final class FuseFaultTest {
    @TempDir
    Path directory;

    @Test
    void answersWhateverIsThrownWithAnInputOutputErrorAndLivesOn() throws IOException {
        try (FuseSession session = mount(new MemoryFileSystem() {
            @Override
            public Attributes lookup(long parent, String name) throws IOException, InterruptedException {
                return switch (name) {
                    case "runtime" -> throw new IllegalStateException("meant by the test");
                    case "error" -> throw new StackOverflowError("meant by the test");
                    case "io" -> throw new IOException("meant by the test");
                    case "unchecked" -> throw new UncheckedIOException(new IOException("meant by the test"));
                    default -> super.lookup(parent, name);
                };
            }
        })) {
            for (int round = 0; round < 20; round++) {
                for (String name : new String[] {"runtime", "error", "io", "unchecked"}) {
                    assertThatThrownBy(() -> Files.size(directory.resolve(name)))
                            .isInstanceOf(FileSystemException.class)
                            .hasMessageContaining("Input/output error");
                }
            }
            assertThat(Files.writeString(directory.resolve("good"), "works")).hasContent("works");
            assertThat(session.hasEnded()).isFalse();
        }
    }

    @Test
    void interruptsAnOperationWhoseCallerIsKilled() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        try (FuseSession session = mount(new MemoryFileSystem() {
            @Override
            public Attributes lookup(long parent, String name) throws IOException, InterruptedException {
                if (name.equals("slow")) {
                    asked.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                        throw e;
                    }
                }
                return super.lookup(parent, name);
            }
        })) {
            Process caller = new ProcessBuilder("cat", directory.resolve("slow").toString())
                    .redirectErrorStream(true)
                    .start();
            asked.await();
            caller.destroyForcibly();
            await().untilTrue(interrupted);
            caller.waitFor();
            assertThat(Files.writeString(directory.resolve("good"), "works")).hasContent("works");
            assertThat(session.hasEnded()).isFalse();
        }
    }

    /** A call on files is not interrupted by signals, signal(7) says: programs do not expect it. */
    @Test
    void goesOnWithAnOperationWhoseCallerGetsASignalAndLives() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (FuseSession _ = mount(new MemoryFileSystem() {
            @Override
            public Attributes lookup(long parent, String name) throws IOException, InterruptedException {
                if (name.equals("slow")) {
                    asked.countDown();
                    goOn.await();
                }
                return super.lookup(parent, name);
            }
        })) {
            Path slow = Files.writeString(directory.resolve("good"), "works").resolveSibling("slow");
            Process caller = new ProcessBuilder("cat", slow.toString())
                    .redirectErrorStream(true)
                    .start();
            asked.await();
            signal("STOP", caller);
            await("the kernel has told of the signal").until(() -> waitsThroughSignals(caller));
            signal("CONT", caller);
            assertThat(directory.resolve("good")).as("is served behind it").hasContent("works");
            goOn.countDown();
            assertThat(caller.inputReader().readLine()).contains("No such file or directory");
            caller.waitFor();
        }
    }

    private static void signal(String name, Process to) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(to.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static boolean waitsThroughSignals(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .anyMatch(line -> line.matches("State:\\s+D .*"));
    }

    @Test
    void closesAlthoughFilesAreOpen() throws IOException {
        FuseSession session = mount(new MemoryFileSystem());
        try (FileChannel open =
                FileChannel.open(directory.resolve("open"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            session.close();
            assertThat(session.hasEnded()).isTrue();
            assertThat(MountTable.on(directory)).isEmpty();
            assertThatThrownBy(() -> open.write(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
        } catch (IOException closingTellsTheSame) {
            assertThat(closingTellsTheSame).hasMessageContaining("not connected");
        }
    }

    @Test
    void closesAlthoughItIsMountedElsewhereToo(@TempDir Path elsewhere) throws Exception {
        FuseSession session = mount(new MemoryFileSystem());
        run("mount", "--bind", directory.toString(), elsewhere.toString());
        try {
            session.close();
            assertThat(session.hasEnded()).isTrue();
        } finally {
            run("umount", elsewhere.toString());
        }
    }

    @Test
    void closesAlthoughFilesAreOpenOfWhatSomebodyHasDetached() throws Exception {
        FuseSession session = mount(new MemoryFileSystem());
        FileChannel open =
                FileChannel.open(directory.resolve("open"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            run("umount", "-l", directory.toString());
            session.close();
            assertThat(session.hasEnded()).isTrue();
        } finally {
            assertThatThrownBy(open::close).hasMessageContaining("not connected");
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    @Test
    void closesTwiceAndLeavesAlone() throws IOException {
        FuseSession first = mount(new MemoryFileSystem());
        first.close();
        try (FuseSession second = mount(new MemoryFileSystem())) {
            first.close();
            assertThat(MountTable.on(directory)).isPresent();
            assertThat(second.hasEnded()).isFalse();
        }
    }

    @Test
    void tellsWhoAwaitsItsEndAndWhoClosesItThatItDidNotEndWell() throws Exception {
        FuseSession session = mount(endsBadly());
        assertThat(new ProcessBuilder("umount", directory.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(session::awaitEnd)
                .isInstanceOf(FileSystemException.class)
                .hasMessageContainingAll(directory.toString(), "meant by the test");
        assertThat(session.hasEnded()).isTrue();
        assertThatThrownBy(session::close).hasMessageContaining("meant by the test");
    }

    @Test
    void tellsOfABadEndOnceItIsClosed() throws IOException {
        FuseSession session = mount(endsBadly());
        assertThatThrownBy(session::close).hasMessageContaining("meant by the test");
        assertThat(MountTable.on(directory)).isEmpty();
    }

    private static InodeFileSystem endsBadly() {
        return new MemoryFileSystem() {
            @Override
            public void end() throws IOException {
                throw new IOException("meant by the test");
            }
        };
    }

    @Test
    void refusesADirectoryThatIsServed() throws IOException {
        try (FuseSession session = mount(new MemoryFileSystem())) {
            assertThatThrownBy(() -> mount(new MemoryFileSystem()))
                    .isInstanceOf(FileSystemException.class)
                    .hasMessageContaining("is mounted by a process that is alive");
            assertThat(session.hasEnded()).isFalse();
        }
    }

    @Test
    void refusesWhatIsNoDirectory() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> FuseSession.mount(new MemoryFileSystem(), file, MemoryFileSystem.OPTIONS))
                .isInstanceOf(NotDirectoryException.class);
        assertThatThrownBy(() -> FuseSession.mount(
                        new MemoryFileSystem(), directory.resolve("absent"), MemoryFileSystem.OPTIONS))
                .isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void endsWithTheMountWhenSomebodyUnmounts() throws Exception {
        try (ServedMount mount = ServedMount.start(directory)) {
            Files.writeString(directory.resolve("a"), "b");
            assertThat(mount.unmount()).isZero();
            assertThat(MountTable.on(directory)).isEmpty();
        }
    }

    @Test
    void removesTheMountOfAProcessThatWasKilled() throws Exception {
        try (ServedMount killed = ServedMount.start(directory)) {
            killed.kill();
            assertThat(MountTable.on(directory)).isPresent();
            assertThatThrownBy(() -> Files.size(directory)).hasMessageContaining("not connected");
            try (FuseSession session = mount(new MemoryFileSystem())) {
                assertThat(Files.writeString(directory.resolve("a"), "again")).hasContent("again");
                assertThat(session.hasEnded()).isFalse();
            }
            assertThat(MountTable.on(directory)).isEmpty();
        }
    }

    private FuseSession mount(InodeFileSystem files) throws IOException {
        return FuseSession.mount(files, directory, MemoryFileSystem.OPTIONS);
    }
}
