// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Main memory that is a file without a name ({@code memfd_create(2)}, Linux): written and read as memory, and sent by the
 * kernel by its pages, without a copy. What was sent stays as it is even when the file is closed before the client has read
 * it: its pages are the socket's then, and nobody writes them.
 *
 * <p>Each is a mapping of its own, so there are at most {@value #MOST} in a process.
 */
final class MemoryFile implements AutoCloseable {
    static final int MOST = 256;
    private static final int MFD_CLOEXEC = 1;
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Optional<MethodHandle> CREATE = function(
            "memfd_create", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    private static final Optional<MethodHandle> CLOSE =
            function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private final Arena arena;
    private final ByteBuf memory;

    private MemoryFile(Arena arena, MemorySegment mapped) {
        this.arena = arena;
        memory = Unpooled.wrappedBuffer(mapped.asByteBuffer()).setIndex(0, 0);
    }

    @SuppressWarnings("restricted") // the C library that this process has anyhow
    private static Optional<MethodHandle> function(String name, FunctionDescriptor type) {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup().find(name).map(symbol -> linker.downcallHandle(symbol, type));
    }

    /** One of that size, at least 1; none if the system has none, or there are too many. */
    static Optional<MemoryFile> allocate(int bytes) {
        if (CREATE.isEmpty()) {
            return Optional.empty();
        }
        if (COUNT.incrementAndGet() <= MOST) {
            try {
                return Optional.of(mapped(bytes));
            } catch (IOException e) {
                COUNT.decrementAndGet();
                return Optional.empty();
            }
        }
        COUNT.decrementAndGet();
        return Optional.empty();
    }

    /** The mapping keeps the file: its descriptor is not needed any more. */
    private static MemoryFile mapped(int bytes) throws IOException {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = create()) {
            return new MemoryFile(arena, channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena));
        } catch (IOException e) {
            arena.close();
            throw e;
        }
    }

    private static FileChannel create() throws IOException {
        int descriptor = create("albm-document");
        if (descriptor < 0) {
            throw new IOException("memfd_create gave no file");
        }
        try {
            Path link = Path.of("/proc/self/fd", Integer.toString(descriptor));
            return FileChannel.open(link, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            close(descriptor);
        }
    }

    private static int create(String name) {
        try (Arena names = Arena.ofConfined()) {
            return (int) CREATE.orElseThrow().invokeExact(names.allocateFrom(name), MFD_CLOEXEC);
        } catch (Throwable e) {
            throw new LinkageError("memfd_create", e);
        }
    }

    private static void close(int descriptor) {
        try {
            int closed = (int) CLOSE.orElseThrow().invokeExact(descriptor);
            assert closed == 0;
        } catch (Throwable e) {
            throw new LinkageError("close", e);
        }
    }

    /** To be read and written, until the file is closed. */
    ByteBuf memory() {
        return memory;
    }

    @Override
    public void close() {
        COUNT.decrementAndGet();
        arena.close();
    }
}
