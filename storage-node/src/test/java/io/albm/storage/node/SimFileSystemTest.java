// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.sim.Simulation;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a loss of power may leave, as far as seeds show it; and what it must leave. */
class SimFileSystemTest {
    private static final int PAGE = 4096;

    /** What is left of what was done, over many losses of power. */
    private static Set<String> left(Consumer<SimFileSystem> work) {
        Set<String> outcomes = new TreeSet<>();
        LongStream.range(0, 500).forEach(seed -> {
            SimFileSystem files = new SimFileSystem();
            work.accept(files);
            files.crash(new Simulation(seed));
            outcomes.add(shown(files));
        });
        return outcomes;
    }

    private static String shown(SimFileSystem files) {
        return String.join(
                " ",
                files.paths().stream()
                        .map(path -> path + "=" + pages(content(files, path)))
                        .toList());
    }

    private static byte[] content(SimFileSystem files, String path) {
        try {
            return files.find(path).content();
        } catch (NoSuchFileException missing) {
            throw new AssertionError(missing);
        }
    }

    /** A letter for each whole page. */
    private static String pages(byte[] content) {
        StringBuilder pages = new StringBuilder();
        for (int at = 0; at + PAGE <= content.length; at += PAGE) {
            pages.append((char) (content[at] == 0 ? '0' : content[at]));
        }
        return content.length % PAGE == 0 ? pages.toString() : "cut";
    }

    private static byte[] filled(int pages, char letter) {
        byte[] content = new byte[pages * PAGE];
        Arrays.fill(content, (byte) letter);
        return content;
    }

    private static void sync(SimFileSystem files, String directory) {
        files.syncDirectory(directory);
        files.syncDirectory("");
    }

    private static void rename(SimFileSystem files, String from, String to) {
        try {
            files.rename(from, to);
        } catch (NoSuchFileException missing) {
            throw new AssertionError(missing);
        }
    }

    @Test
    void keepsWhatWasSyncedWithItsName() {
        assertThat(left(files -> {
                    files.write("d/f", filled(2, 'a')).sync();
                    sync(files, "d");
                }))
                .containsExactly("d/f=aa");
    }

    @Test
    void losesAnyPagesOfWhatWasNotSynced() {
        assertThat(left(files -> {
                    files.write("d/f", filled(2, 'a')).sync();
                    sync(files, "d");
                    files.write("d/f", filled(2, 'b'));
                }))
                .contains("d/f=aa", "d/f=ab", "d/f=ba", "d/f=bb", "d/f=b0", "d/f=0b", "d/f=00", "d/f=cut");
    }

    @Test
    void losesANameWhoseDirectoryWasNotSynced() {
        assertThat(left(files -> files.write("d/f", filled(1, 'a')).sync())).containsExactly("", "d/f=a");
    }

    @Test
    void losesADirectoryWhoseOwnNameWasNotSynced() {
        assertThat(left(files -> {
                    files.write("d/f", filled(1, 'a')).sync();
                    files.syncDirectory("d");
                }))
                .containsExactly("", "d/f=a");
    }

    @Test
    void keepsARenameAndLosesTheContent() {
        assertThat(left(files -> {
                    files.write("d/old", filled(1, 'a'));
                    rename(files, "d/old", "d/new");
                    sync(files, "d");
                }))
                .contains("d/new=a", "d/new=0", "d/new=");
    }

    @Test
    void keepsAnyOfSeveralRenames() {
        assertThat(left(files -> {
                    files.write("t/1", filled(1, 'a')).sync();
                    files.write("t/2", filled(1, 'b')).sync();
                    files.write("d/x", filled(1, 'x')).sync();
                    sync(files, "t");
                    sync(files, "d");
                    rename(files, "t/1", "d/1");
                    rename(files, "t/2", "d/x");
                    sync(files, "t");
                }))
                .containsExactly("d/1=a d/x=b", "d/1=a d/x=x", "d/x=b", "d/x=x");
    }

    @Test
    void bringsBackWhatWasRemovedAndNotSynced() {
        assertThat(left(files -> {
                    files.write("d/f", filled(1, 'a')).sync();
                    sync(files, "d");
                    files.delete("d/f");
                    files.deleteDirectory("d");
                }))
                .containsExactly("", "d/f=a");
    }

    @Test
    void saysOfNoFileThatItIsSureWhichMayBeLostOrBeAnother() {
        SimFileSystem files = new SimFileSystem();
        SimFileSystem.Inode inode = files.write("d/f", filled(1, 'a'));
        assertThat(files.isSure("d/f")).isFalse();
        inode.sync();
        assertThat(files.isSure("d/f")).isFalse();
        files.syncDirectory("d");
        assertThat(files.isSure("d/f")).isFalse();
        files.syncDirectory("");
        assertThat(files.isSure("d/f")).isTrue();
        files.write("t/1", filled(1, 'a')).sync();
        rename(files, "t/1", "d/f");
        assertThat(files.isSure("d/f")).as("both are the same").isTrue();
        files.write("t/2", filled(1, 'b')).sync();
        rename(files, "t/2", "d/f");
        assertThat(files.isSure("d/f")).isFalse();
        files.sync();
        assertThat(files.isSure("d/f")).isTrue();
    }
}
