// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A pipe through which the kernel moves bytes without copying them into this process: from one descriptor to another by
 * {@code splice(2)}, and out of memory by {@code vmsplice(2)}. No call waits. To be used only where epoll is available, which
 * is where these calls are. Belongs to one thread.
 */
public final class KernelPipe implements AutoCloseable {
    private static final int F_SETPIPE_SZ = 1031;
    private static final int SPLICE_F_NONBLOCK = 2;
    private static final long NO_OFFSET = -1;

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

    private final MemorySegment vector = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, 2);
    private final FileDescriptor readEnd;
    private final FileDescriptor writeEnd;

    private KernelPipe(FileDescriptor readEnd, FileDescriptor writeEnd) {
        this.readEnd = readEnd;
        this.writeEnd = writeEnd;
    }

    @SuppressWarnings("restricted") // the C library that this process has anyhow
    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }

    /**
     * An empty pipe.
     *
     * @param capacities bytes that it is to hold: the first that the kernel grants, else the kernel's own size, with which
     *     everything takes more calls
     * @throws IOException if the kernel gives none
     */
    public static KernelPipe open(int... capacities) throws IOException {
        FileDescriptor[] ends = FileDescriptor.pipe();
        int granted = -1;
        for (int next = 0; next < capacities.length && granted < 0; next++) {
            granted = resize(ends[1].intValue(), capacities[next]);
        }
        return new KernelPipe(ends[0], ends[1]);
    }

    private static int resize(int end, int capacity) {
        try {
            return (int) FCNTL.invokeExact(end, F_SETPIPE_SZ, capacity);
        } catch (Throwable e) {
            throw new LinkageError("fcntl", e);
        }
    }

    /**
     * Moves bytes into the pipe.
     *
     * @param most at most so many
     * @return how many; 0 if there are none now, or no more at all
     * @throws IOException if {@code from} is broken
     */
    public int fill(FileDescriptor from, long most) throws IOException {
        return Native.splice(from.intValue(), NO_OFFSET, writeEnd.intValue(), NO_OFFSET, most);
    }

    /**
     * Lends memory to the pipe. Its bytes must not change until they have arrived wherever they are moved to, which is later
     * than they leave the pipe.
     *
     * @param address of the first byte
     * @return how many bytes fit
     * @throws IOException if the system does not allow that
     */
    public long lend(long address, long bytes) throws IOException {
        vector.setAtIndex(ValueLayout.JAVA_LONG, 0, address);
        vector.setAtIndex(ValueLayout.JAVA_LONG, 1, bytes);
        long lent;
        try {
            lent = (long) VMSPLICE.invokeExact(writeEnd.intValue(), vector, 1L, SPLICE_F_NONBLOCK);
        } catch (Throwable e) {
            throw new LinkageError("vmsplice", e);
        }
        if (lent < 0) {
            throw new IOException("vmsplice took none of " + bytes + " bytes");
        }
        return lent;
    }

    /**
     * Moves bytes out of the pipe.
     *
     * @param most at most so many
     * @return how many; 0 if {@code to} takes none now
     * @throws IOException if {@code to} is broken
     */
    public int drain(FileDescriptor to, long most) throws IOException {
        return Native.splice(readEnd.intValue(), NO_OFFSET, to.intValue(), NO_OFFSET, most);
    }

    /**
     * Copies bytes out of the pipe.
     *
     * @param bytes how many, all of which must be in it
     * @throws IOException if they are not; what is in the pipe then is not known
     */
    public ByteBuf take(int bytes, ByteBufAllocator allocator) throws IOException {
        ByteBuf taken = allocator.directBuffer(bytes, bytes);
        try {
            while (taken.isWritable()) {
                read(taken);
            }
        } catch (IOException | RuntimeException | Error e) {
            taken.release();
            throw e;
        }
        return taken;
    }

    private void read(ByteBuf into) throws IOException {
        int read = readEnd.readAddress(into.memoryAddress(), into.writerIndex(), into.capacity());
        if (read <= 0) {
            throw new IOException("a pipe that should hold " + into.writableBytes() + " bytes gave " + read);
        }
        into.writerIndex(into.writerIndex() + read);
    }

    @Override
    public void close() throws IOException {
        readEnd.close();
        writeEnd.close();
    }
}
