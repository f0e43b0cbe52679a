// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mounted file system. It lives until {@link #close} or until somebody unmounts it; the threads that serve it do not keep
 * the process alive. Nothing that an operation throws ends it. Thread-safe.
 *
 * <p>Each thread reads a request from {@code /dev/fuse}, serves it, and answers. So as many requests are under way as there
 * are threads, the rest wait in the kernel, and memory is bounded by {@link MountOptions#threads}; those for locks, of which
 * {@value LateAnswers#MOST} may wait for each other, are not among them. A file system whose
 * operations all hang hangs the mount: it has to bound their time.
 */
public final class FuseSession implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(FuseSession.class);

    /** The kernel negotiates at once; it is waited for so that a mount that came back is a mount that works. */
    private static final Duration NEGOTIATION = Duration.ofSeconds(10);

    /** How long closing waits for requests that are still served. */
    private static final Duration LAST_REQUESTS = Duration.ofSeconds(10);

    /** How long closing waits for the kernel to let go by itself. */
    private static final Duration LETTING_GO = Duration.ofSeconds(1);

    private final InodeFileSystem files;
    private final MountOptions options;
    private final FuseDevice device;
    private final Interrupts interrupts = new Interrupts(KilledThreads::contains);
    private final LateAnswers late;
    private final Notices notices;
    private final Dispatcher dispatcher;
    private final MountPoint mount;
    private final AtomicInteger alive;
    private final CompletableFuture<Integer> negotiated = new CompletableFuture<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Why the file system did not end well; null if it did, or has not ended. */
    private volatile @Nullable Throwable failure;

    private FuseSession(InodeFileSystem files, MountOptions options, FuseDevice device, MountPoint mount) {
        this.files = files;
        this.options = options;
        this.device = device;
        this.mount = mount;
        Failures failures = new Failures();
        late = new LateAnswers(interrupts, failures, device::send);
        notices = new Notices(device, mount.toString());
        dispatcher = new Dispatcher(files, interrupts, failures, late);
        alive = new AtomicInteger(options.threads());
    }

    /**
     * Mounts a file system on a directory. A mount there whose process is gone is removed first.
     *
     * @throws java.nio.file.AccessDeniedException if this process is not root's
     * @throws FileSystemException if there is no {@code /dev/fuse}, the directory is none or is mounted on by a process that
     *     lives, or the kernel refuses
     */
    public static FuseSession mount(InodeFileSystem files, Path directory, MountOptions options) throws IOException {
        MountPoint.checkPrivileges(directory);
        FuseDevice device = FuseDevice.open();
        MountPoint mount;
        try {
            mount = MountPoint.mount(directory, device.descriptor());
        } catch (IOException | RuntimeException | Error failure) {
            device.close();
            throw failure;
        }
        FuseSession session = new FuseSession(files, options, device, mount);
        session.start();
        return session;
    }

    private void start() throws IOException {
        files.begin(notices);
        for (int thread = 0; thread < options.threads(); thread++) {
            Thread.ofPlatform().daemon().name("fuse-" + mount + "-" + thread).start(this::work);
        }
        try {
            int error = negotiated.get(NEGOTIATION.toSeconds(), TimeUnit.SECONDS);
            if (error != 0) {
                throw failure("the kernel's FUSE protocol is too old: expected 7.31, which Linux 5.4 has");
            }
        } catch (TimeoutException | ExecutionException e) {
            unmount();
            throw failure("the kernel did not begin to use the mount");
        } catch (InterruptedException e) {
            unmount();
            Thread.currentThread().interrupt();
            throw failure("interrupted while mounting");
        } catch (IOException e) {
            unmount();
            throw e;
        }
        mount.readAhead(Negotiation.READ_AHEAD_BYTES);
    }

    private FileSystemException failure(String reason) {
        return new FileSystemException(mount.toString(), null, reason);
    }

    private void work() {
        try (Arena arena = Arena.ofConfined()) {
            new Worker(this, arena).run();
        } catch (IOException | RuntimeException | Error failure) {
            log.error("a thread of the mount on {} ended", mount, failure);
        } finally {
            if (alive.decrementAndGet() == 0) {
                end();
            }
        }
    }

    private void end() {
        try {
            endLate();
            files.end();
        } catch (IOException | RuntimeException | Error e) {
            log.error("the file system that was on {} did not end well", mount, e);
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = new InterruptedIOException("interrupted");
        } finally {
            ended.countDown();
        }
    }

    /** Who is still served then finds the device closed. */
    private void endLate() throws InterruptedException {
        try {
            if (!late.end(LAST_REQUESTS)) {
                log.warn("requests for locks on {} are still being served after its end", mount);
            }
        } finally {
            notices.close();
            device.close();
        }
    }

    /**
     * Waits until the file system is unmounted, by whomever.
     *
     * @throws FileSystemException if it did not {@linkplain InodeFileSystem#end end} well
     */
    public void awaitEnd() throws IOException, InterruptedException {
        ended.await();
        checkEnd();
    }

    /** Throws a new exception each time: who waits and then closes gets two, and none can be suppressed by itself. */
    private void checkEnd() throws FileSystemException {
        Throwable cause = failure;
        if (cause != null) {
            FileSystemException lost =
                    failure("is unmounted, and what was done last may be lost: " + cause.getMessage());
            lost.initCause(cause);
            throw lost;
        }
    }

    /** Whether the file system is unmounted and all that was asked of it is done. */
    public boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /**
     * Unmounts, and waits for the requests that are being served, at most 10 s. The directory is free then even if files are
     * open, whose users get errors from there on, and so does who has the file system mounted elsewhere.
     *
     * @throws FileSystemException if it cannot be unmounted, or did not {@linkplain InodeFileSystem#end end} well
     */
    @Override
    public void close() throws IOException {
        unmount();
        checkEnd();
    }

    private void unmount() throws IOException {
        if (!hasEnded()) {
            mount.unmount();
        }
        try {
            if (!ended.await(LETTING_GO.toSeconds(), TimeUnit.SECONDS) && isConnected()) {
                mount.abort();
            }
            if (!ended.await(LAST_REQUESTS.toSeconds(), TimeUnit.SECONDS)) {
                log.warn("requests to {} are still being served after its end", mount);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether no thread has found the device at its end: only then its number is certainly not another mount's by now. */
    private boolean isConnected() {
        return alive.get() == options.threads();
    }

    /** The kernel has the answer to its first request, which was 0 or an error. */
    void negotiated(int error) {
        negotiated.complete(error);
    }

    FuseDevice device() {
        return device;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    Interrupts interrupts() {
        return interrupts;
    }

    MountOptions options() {
        return options;
    }
}
