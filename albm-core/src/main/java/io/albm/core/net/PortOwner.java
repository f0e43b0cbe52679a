// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who listens on a TCP port of this machine. The kernel's socket tables give the socket's inode, and the process that
 * holds a descriptor of that inode is the owner; of other users' processes only root sees the descriptors.
 *
 * @param pid of the process
 * @param command its command line, shortened
 */
public record PortOwner(long pid, String command) {
    private static final int LONGEST_COMMAND = 80;
    private static final String LISTEN = "0A";
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;

    /** The process which listens on that port, if it may be seen. */
    public static Optional<PortOwner> of(int port) {
        return Stream.of("/proc/net/tcp", "/proc/net/tcp6")
                .flatMap(table -> listeningInodes(table, port).stream())
                .flatMap(inode -> holder(inode).stream())
                .findFirst();
    }

    @Override
    public String toString() {
        return "pid " + pid + " (" + command + ")";
    }

    private static List<String> listeningInodes(String table, int port) {
        String suffix = String.format(":%04X", port);
        try (Stream<String> lines = Files.lines(Path.of(table))) {
            return lines.map(line -> line.strip().split("\\s+"))
                    .filter(fields -> fields.length > INODE && fields[STATE].equals(LISTEN))
                    .filter(fields -> fields[LOCAL_ADDRESS].endsWith(suffix))
                    .map(fields -> fields[INODE])
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Optional<PortOwner> holder(String inode) {
        String socket = "socket:[" + inode + "]";
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> holds(pid, socket))
                .findFirst()
                .map(pid -> new PortOwner(pid, command(pid)));
    }

    private static boolean holds(long pid, String socket) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/" + pid + "/fd"))) {
            for (Path descriptor : descriptors) {
                if (target(descriptor).equals(socket)) {
                    return true;
                }
            }
        } catch (IOException e) {
            return false;
        }
        return false;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "";
        }
    }

    private static String command(long pid) {
        try {
            String line = new String(Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline")), ISO_8859_1)
                    .replace('\0', ' ')
                    .strip();
            return line.length() > LONGEST_COMMAND ? line.substring(0, LONGEST_COMMAND - 1) + "…" : line;
        } catch (IOException e) {
            return "gone by now";
        }
    }
}
