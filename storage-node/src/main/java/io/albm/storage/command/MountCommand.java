// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import io.albm.storage.fuse.FuseSession;
import io.albm.storage.mount.StripedFileSystem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm mount}. */
@Command(
        name = "mount",
        description = {
            "Show the storage as a file system, in the foreground, until it is unmounted or this process is ended.",
            "What is written to a file is there for others when it is closed or synced. A change of a part of a file"
                    + " stores that part. Takes root and Linux 5.4 or newer."
        },
        footer = {"  albm mount /mnt/albm", "  umount /mnt/albm"})
final class MountCommand implements Callable<Integer> {
    /** Longer than a read that finds two nodes silent, one after the other. */
    private static final Duration PATIENCE = StripeSettings.DEFAULT.deadline().multipliedBy(3);

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private ParityOption parity = new ParityOption();

    @Parameters(paramLabel = "DIR", description = "Where to mount it: a directory of its own.")
    private Path directory = Path.of("");

    @Override
    public Integer call() throws IOException {
        return connection.with(parity.in(StripeSettings.DEFAULT), this::serve);
    }

    private int serve(StripedStore store) throws IOException {
        if (parity.isGiven()) {
            store.geometry();
        }
        try (FuseSession session = FuseSession.mount(
                new StripedFileSystem(store.files(), PATIENCE), directory, StripedFileSystem.OPTIONS)) {
            Thread unmount = new Thread(() -> unmount(session), "unmount");
            Runtime.getRuntime().addShutdownHook(unmount);
            System.out.println("mounted on " + directory + "; umount " + directory + " or Ctrl-C ends it");
            session.awaitEnd();
            return ExitCode.DONE;
        } catch (AccessDeniedException denied) {
            throw new CliException(ExitCode.NOT_ALLOWED, directory + ": " + denied.getReason(), denied);
        } catch (NotDirectoryException none) {
            throw new CliException(ExitCode.FAILED, directory + ": is no directory; make one to mount on", none);
        } catch (FileSystemException refused) {
            throw new CliException(ExitCode.FAILED, refused.getFile() + ": " + refused.getReason(), refused);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }

    /** What a signal starts. The process is gone when it returns: it waits for the end that closing does not wait for. */
    private static void unmount(FuseSession session) {
        try {
            session.close();
            session.awaitEnd();
        } catch (IOException e) {
            // Who waits for the end says how it was.
            if (!session.hasEnded()) {
                System.err.println("albm: " + e.getMessage());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
