// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * A pipe through which the kernel moves bytes from one socket to another without copying them into this process
 * ({@code splice(2)}, Linux). Belongs to one event loop.
 */
final class KernelPipe implements AutoCloseable {
    /** Bytes asked for at a time: more was measured slower; a kernel that gives less moves less at a time. */
    static final int CAPACITY = 256 << 10;

    private static final int O_NONBLOCK = 0x800;
    private static final int O_CLOEXEC = 0x80000;
    private static final int F_SETPIPE_SZ = 1031;
    private static final int SPLICE_FLAGS = 1 | 2; // SPLICE_F_MOVE, SPLICE_F_NONBLOCK

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle PIPE =
            function("pipe2", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    private static final MethodHandle FCNTL = function(
            "fcntl",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SPLICE = function(
            "splice",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.JAVA_INT));
    private static final MethodHandle READ = function(
            "read",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private final int readEnd;
    private final int writeEnd;

    private KernelPipe(int readEnd, int writeEnd) {
        this.readEnd = readEnd;
        this.writeEnd = writeEnd;
    }

    @SuppressWarnings("restricted") // the C library that this process has anyhow
    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        SymbolLookup library = LINKER.defaultLookup();
        return LINKER.downcallHandle(library.findOrThrow(name), type, options);
    }

    /** A pipe; none if the kernel gives none. To be called on Linux only. */
    static Optional<KernelPipe> open() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment ends = arena.allocate(ValueLayout.JAVA_INT, 2);
            if ((int) PIPE.invokeExact(ends, O_NONBLOCK | O_CLOEXEC) < 0) {
                return Optional.empty();
            }
            int readEnd = ends.getAtIndex(ValueLayout.JAVA_INT, 0);
            int writeEnd = ends.getAtIndex(ValueLayout.JAVA_INT, 1);
            int _ = (int) FCNTL.invokeExact(writeEnd, F_SETPIPE_SZ, CAPACITY);
            return Optional.of(new KernelPipe(readEnd, writeEnd));
        } catch (Throwable e) {
            throw new LinkageError("pipe2", e);
        }
    }

    /**
     * Moves bytes from a socket into the pipe.
     *
     * @param most at most so many
     * @return how many; 0 at the stream's end; negative if there are none now
     */
    long fill(int socket, long most) {
        return splice(socket, writeEnd, most);
    }

    /**
     * Moves bytes out of the pipe into a socket.
     *
     * @return how many; not positive if the socket takes none now
     */
    long drain(int socket, long bytes) {
        return splice(readEnd, socket, bytes);
    }

    private static long splice(int from, int to, long bytes) {
        try {
            return (long) SPLICE.invokeExact(from, 0L, to, 0L, bytes, SPLICE_FLAGS);
        } catch (Throwable e) {
            throw new LinkageError("splice", e);
        }
    }

    /** Takes that many bytes, which must be in the pipe, out of it. */
    ByteBuf take(int bytes, ByteBufAllocator allocator) {
        ByteBuf taken = allocator.directBuffer(bytes, bytes);
        while (taken.isWritable()) {
            taken.writerIndex(
                    taken.writerIndex() + read(taken.memoryAddress() + taken.writerIndex(), taken.writableBytes()));
        }
        return taken;
    }

    private int read(long address, int bytes) {
        long read;
        try {
            read = (long) READ.invokeExact(readEnd, address, (long) bytes);
        } catch (Throwable e) {
            throw new LinkageError("read", e);
        }
        if (read <= 0) {
            throw new IllegalStateException("a pipe of " + bytes + " bytes gave " + read);
        }
        return (int) read;
    }

    @Override
    public void close() {
        try {
            int closed = (int) CLOSE.invokeExact(readEnd) + (int) CLOSE.invokeExact(writeEnd);
            assert closed == 0;
        } catch (Throwable e) {
            throw new LinkageError("close", e);
        }
    }
}
