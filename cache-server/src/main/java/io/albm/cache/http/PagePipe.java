// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.net.KernelPipe;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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

    /** Bytes; a process without privileges may have the second. */
    private static final int[] CAPACITIES = {2 << 20, 1 << 20};

    private @Nullable FileDescriptor nowhere;
    private @Nullable KernelPipe pipe;
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
        empty(pipe().lend(page.address(), page.byteSize()));
    }

    /**
     * Sends what the socket takes now.
     *
     * @return how many bytes; 0 if it takes none
     */
    long send(FileDescriptor socket, long address, long bytes) throws IOException {
        KernelPipe through = pipe();
        long lent = through.lend(address, bytes);
        long sent = 0;
        try {
            int moved = 1;
            while (sent < lent && moved > 0) {
                moved = through.drain(socket, lent - sent);
                sent += moved;
            }
        } finally {
            empty(lent - sent);
        }
        return sent;
    }

    /** Throws away what the socket did not take, without a descriptor that may not be there to be had. */
    private void empty(long bytes) throws IOException {
        long left = bytes;
        while (left > 0) {
            int gone = pipe().drain(nowhere(), left);
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

    private KernelPipe pipe() throws IOException {
        KernelPipe open = pipe;
        if (open == null) {
            open = KernelPipe.open(CAPACITIES);
            pipe = open;
        }
        return open;
    }

    private void closePipe() throws IOException {
        KernelPipe open = pipe;
        pipe = null;
        if (open != null) {
            open.close();
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
