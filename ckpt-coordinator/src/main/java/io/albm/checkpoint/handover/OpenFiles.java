// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import io.albm.checkpoint.rank.Processes;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which processes of a rank have which files open for writing, read from {@code /proc} (proc(5)). A file is known by its
 * inode, whatever its name.
 */
final class OpenFiles {
    /** open(2): the access mode is in the two lowest bits; 0 is reading only. */
    private static final int ACCESS_MODE = 3;

    private OpenFiles() {}

    /** Those of the process and its descendants that have the file open for writing. */
    static Set<ProcessHandle> writers(ProcessHandle rank, Path file) throws IOException {
        Object inode = inode(file);
        Set<ProcessHandle> writers = new HashSet<>();
        for (ProcessHandle process : Processes.family(rank)) {
            if (writes(process, inode)) {
                writers.add(process);
            }
        }
        return writers;
    }

    /** Whether this process has the file open for writing; false, too, if it cannot be known. */
    private static boolean writes(ProcessHandle process, Object inode) {
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(proc.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (isInode(descriptor, inode)
                        && isForWriting(proc.resolve("fdinfo").resolve(descriptor.getFileName()))) {
                    return true;
                }
            }
        } catch (IOException e) {
            // It has gone, or is another user's.
        }
        return false;
    }

    private static boolean isInode(Path descriptor, Object inode) {
        try {
            return inode(descriptor).equals(inode);
        } catch (IOException e) {
            return false;
        }
    }

    private static Object inode(Path file) throws IOException {
        return Files.getAttribute(file, "unix:dev") + ":" + Files.getAttribute(file, "unix:ino");
    }

    private static boolean isForWriting(Path descriptorInfo) throws IOException {
        List<String> lines = Files.readAllLines(descriptorInfo);
        return lines.stream()
                .filter(line -> line.startsWith("flags:"))
                .mapToInt(line ->
                        Integer.parseInt(line.substring("flags:".length()).strip(), 8))
                .anyMatch(flags -> (flags & ACCESS_MODE) != 0);
    }
}
