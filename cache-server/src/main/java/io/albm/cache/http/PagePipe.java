// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends memory by its pages, without a copy: {@code vmsplice(2)} puts them into a pipe, {@code splice(2)} moves them to the
 * socket. That takes half the CPU of {@code sendfile} out of a memory file, which looks every page up in the file.
 *
 * <p>The kernel goes on sending the pages after this returns. So their bytes must never change again: they may only be
 * unmapped, when whoever owns them lets go. Confined to one event loop; the pipe is empty between two calls.
 */
final class PagePipe implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PagePipe.class);

    /** Tried in this order; a process without privileges may have the second. */
    private static final int[] CAPACITIES = {2 << 20, 1 << 20};

    private static final int F_SETPIPE_SZ = 1031;
    private static final int SPLICE_F_NONBLOCK = 2;
    private static final long NO_OFFSET = -1;

    /** The system's calls; looked for only where there is epoll, which is where they are. */
    private static final class Calls {
        private static final MethodHandle FCNTL = function(
                "fcntl",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
                Linker.Option.firstVariadicArg(2));
        private static final MethodHandle VMSPLICE = function(
                "vmsplice",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT,
                        ValueLayout.ADDRESS,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_INT));

        private Calls() {}

        @SuppressWarnings("restricted") // the C library that this process has anyhow
        private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
        }
    }

    private final MemorySegment vector = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, 2);
    private @Nullable FileDescriptor nowhere;
    private FileDescriptor @Nullable [] ends;
    private @Nullable Boolean works;

    /** Opens nothing yet. */
    PagePipe() {}

    /** Whether the system has all that it takes and lets us; tried out when this is asked first. */
    boolean works() {
        Boolean known = works;
        if (known == null) {
            known = Epoll.isAvailable() && isAllowed();
            works = known;
        }
        return known;
    }

    private boolean isAllowed() {
        try {
            tryOut();
            return true;
        } catch (IOException e) {
            log.info("large documents are copied into their connections: {}", e.getMessage());
            close();
            return false;
        }
    }

    private void tryOut() throws IOException {
        nowhere();
        MemorySegment page = Arena.ofAuto().allocate(1);
        drain(offer(pipe()[1], page.address(), page.byteSize()));
    }

    /**
     * Sends what the socket takes now.
     *
     * @return how many bytes; 0 if it takes none
     */
    long send(FileDescriptor socket, long address, long bytes) throws IOException {
        FileDescriptor[] pipe = pipe();
        long offered = offer(pipe[1], address, bytes);
        long sent = 0;
        try {
            int moved = 1;
            while (sent < offered && moved > 0) {
                moved = Native.splice(pipe[0].intValue(), NO_OFFSET, socket.intValue(), NO_OFFSET, offered - sent);
                sent += moved;
            }
        } finally {
            drain(offered - sent);
        }
        return sent;
    }

    /** Throws away what the socket did not take, without a descriptor that may not be there to be had. */
    private void drain(long bytes) throws IOException {
        long left = bytes;
        while (left > 0) {
            int gone = Native.splice(pipe()[0].intValue(), NO_OFFSET, nowhere().intValue(), NO_OFFSET, left);
            if (gone <= 0) {
                closePipe();
                return;
            }
            left -= gone;
        }
    }

    private FileDescriptor nowhere() throws IOException {
        FileDescriptor open = nowhere;
        if (open == null) {
            open = FileDescriptor.from("/dev/null");
            nowhere = open;
        }
        return open;
    }

    private FileDescriptor[] pipe() throws IOException {
        FileDescriptor[] open = ends;
        if (open == null) {
            open = FileDescriptor.pipe();
            ends = open;
            enlarge(open[1]);
        }
        return open;
    }

    /** A pipe that stays small does the same in more calls. */
    private static void enlarge(FileDescriptor end) {
        int got = -1;
        for (int next = 0; next < CAPACITIES.length && got < 0; next++) {
            got = resize(end.intValue(), CAPACITIES[next]);
        }
    }

    private static int resize(int end, int capacity) {
        try {
            return (int) Calls.FCNTL.invokeExact(end, F_SETPIPE_SZ, capacity);
        } catch (Throwable e) {
            throw new LinkageError("fcntl", e);
        }
    }

    private long offer(FileDescriptor end, long address, long bytes) throws IOException {
        vector.setAtIndex(ValueLayout.JAVA_LONG, 0, address);
        vector.setAtIndex(ValueLayout.JAVA_LONG, 1, bytes);
        long offered;
        try {
            offered = (long) Calls.VMSPLICE.invokeExact(end.intValue(), vector, 1L, SPLICE_F_NONBLOCK);
        } catch (Throwable e) {
            throw new LinkageError("vmsplice", e);
        }
        if (offered < 0) {
            throw new IOException("vmsplice took none of " + bytes + " bytes");
        }
        return offered;
    }

    private void closePipe() throws IOException {
        FileDescriptor[] open = ends;
        ends = null;
        if (open != null) {
            open[0].close();
            open[1].close();
        }
    }

    /** Called when no connection of the loop is left. */
    @Override
    public void close() {
        try {
            closePipe();
            FileDescriptor open = nowhere;
            nowhere = null;
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
