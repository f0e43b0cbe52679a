// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory that a file system is mounted on. A mount whose process was killed stays there, and every access to it
 * fails with ENOTCONN: the next mount takes it away first.
 */
final class MountPoint {
    private static final Logger log = LoggerFactory.getLogger(MountPoint.class);

    /** The kernel takes what is behind the dot for a name to show. */
    private static final String TYPE = "fuse.albm";

    private static final long NO_SET_IDS_NO_DEVICES = 2 | 4;

    /** Where the kernel shows its FUSE connections, by the minor numbers of their devices. */
    private static final Path CONNECTIONS = Path.of("/sys/fs/fuse/connections");

    private final Path directory;
    private final String device;

    private MountPoint(Path directory, String device) {
        this.directory = directory;
        this.device = device;
    }

    /**
     * Mounts a device.
     *
     * @param descriptor {@code /dev/fuse}, open
     * @throws AccessDeniedException if this process is not root's
     * @throws FileSystemException if the directory is none, or mounted on already, or the kernel refuses
     */
    static MountPoint mount(Path directory, int descriptor) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            Path real = realPath(directory);
            removeStale(real, calls);
            if (!Files.isDirectory(real)) {
                throw new NotDirectoryException(directory.toString());
            }
            String options =
                    "fd=" + descriptor + ",rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions";
            check(real, "mount", calls.mount("albm", real.toString(), TYPE, NO_SET_IDS_NO_DEVICES, options));
            MountTable.Line line = MountTable.on(real)
                    .orElseThrow(() -> failure(real, "was unmounted while it was being mounted; try again"));
            return new MountPoint(real, line.device());
        }
    }

    /** Fails unless this process may mount. */
    static void checkPrivileges(Path directory) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            if (new SystemCalls(arena).user() != 0) {
                throw new AccessDeniedException(directory.toString(), null, "only root may mount; run it as root");
            }
        }
    }

    /** Without symbolic links, and without asking the file system that may be mounted there and dead. */
    private static Path realPath(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        if (parent == null) {
            throw failure(directory, "is the root directory; expected a directory of its own");
        }
        Path real = parent.toRealPath().resolve(absolute.getFileName());
        return Files.isSymbolicLink(real) ? real.toRealPath() : real;
    }

    private static void removeStale(Path directory, SystemCalls calls) throws IOException {
        Optional<MountTable.Line> found = ours(directory);
        while (found.isPresent()) {
            if (calls.access(directory.toString()) != -Errno.ENOTCONN.code()) {
                throw failure(directory, "is mounted by a process that is alive; unmount it first (umount)");
            }
            log.info("removing the mount on {}, whose process is gone", directory);
            check(directory, "unmount", calls.unmount(directory.toString(), SystemCalls.MNT_DETACH));
            found = ours(directory);
        }
    }

    private static Optional<MountTable.Line> ours(Path directory) throws IOException {
        return MountTable.on(directory).filter(line -> line.type().equals(TYPE));
    }

    private static void check(Path directory, String what, int result) throws FileSystemException {
        if (result < 0) {
            throw failure(directory, what + " failed: " + Errno.text(-result));
        }
    }

    private static FileSystemException failure(Path directory, String reason) {
        return new FileSystemException(directory.toString(), null, reason);
    }

    /** Lets the kernel read ahead in whole requests. Without it sequential reads are slower, and nothing else. */
    void readAhead(int bytes) {
        try {
            Files.writeString(Path.of("/sys/class/bdi", device, "read_ahead_kb"), Integer.toString(bytes / 1024));
        } catch (IOException e) {
            log.debug("the kernel reads ahead on {} as it does by default", directory, e);
        }
    }

    /**
     * Unmounts. If files are open, the directory is free at once nevertheless, and what is still done to those files fails.
     * Does nothing if it is not mounted any more.
     */
    void unmount() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            SystemCalls calls = new SystemCalls(arena);
            if (ours(directory).filter(line -> line.device().equals(device)).isEmpty()) {
                return;
            }
            int result = calls.unmount(directory.toString(), 0);
            if (result == -Errno.EBUSY.code()) {
                log.warn("files on {} are in use; they are cut off", directory);
                int flags = SystemCalls.MNT_DETACH | SystemCalls.MNT_FORCE;
                result = calls.unmount(directory.toString(), flags);
            }
            check(directory, "unmount", result);
        }
    }

    /** Cuts off who still has the file system, which is not mounted here any more: what is mounted elsewhere, or open. */
    void abort() {
        Path abort = CONNECTIONS.resolve(device.substring(device.indexOf(':') + 1), "abort");
        try (Arena arena = Arena.ofConfined()) {
            if (!Files.exists(abort)) {
                int result = new SystemCalls(arena).mount("fusectl", CONNECTIONS.toString(), "fusectl", 0, "");
                check(CONNECTIONS, "mount", result);
            }
            log.warn("what was mounted on {} is in use elsewhere; that is cut off", directory);
            Files.writeString(abort, "1", StandardOpenOption.WRITE);
        } catch (IOException e) {
            log.warn("what was mounted on {} is in use elsewhere, and ends when that does", directory, e);
        }
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
