// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The C library's functions that a mount takes. Each returns what the function returned, or {@code -errno}. Belongs to one
 * thread, in whose memory {@code errno} is kept.
 */
final class SystemCalls {
    static final int O_RDWR = 2;
    static final int O_CLOEXEC = 0x80000;
    static final int MNT_FORCE = 1;
    static final int MNT_DETACH = 2;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle OPEN = function(
            "open",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE =
            function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final FunctionDescriptor TRANSFER = FunctionDescriptor.of(
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG);
    private static final MethodHandle READ = function("read", TRANSFER);
    private static final MethodHandle WRITE = function("write", TRANSFER);
    private static final MethodHandle MOUNT = function(
            "mount",
            FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.ADDRESS));
    private static final FunctionDescriptor OF_PATH =
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    private static final MethodHandle UNMOUNT = function("umount2", OF_PATH);
    private static final MethodHandle ACCESS = function("access", OF_PATH);
    private static final MethodHandle USER = function("geteuid", FunctionDescriptor.of(ValueLayout.JAVA_INT));

    private final MemorySegment state;

    /** @param arena outlives this */
    SystemCalls(Arena arena) {
        state = arena.allocate(STATE);
    }

    @SuppressWarnings("restricted") // the C library that this process has anyhow
    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker.Option[] all = new Linker.Option[options.length + 1];
        System.arraycopy(options, 0, all, 0, options.length);
        all[options.length] = Linker.Option.captureCallState("errno");
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, all);
    }

    private long result(long returned) {
        return returned < 0 ? -(int) ERRNO.get(state, 0L) : returned;
    }

    int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) result((int) OPEN.invokeExact(state, arena.allocateFrom(path), flags));
        } catch (Throwable e) {
            throw new LinkageError("open", e);
        }
    }

    void close(int descriptor) {
        try {
            int closed = (int) CLOSE.invokeExact(state, descriptor);
            assert closed == 0;
        } catch (Throwable e) {
            throw new LinkageError("close", e);
        }
    }

    long read(int descriptor, MemorySegment target, long bytes) {
        try {
            return result((long) READ.invokeExact(state, descriptor, target, bytes));
        } catch (Throwable e) {
            throw new LinkageError("read", e);
        }
    }

    long write(int descriptor, MemorySegment source, long bytes) {
        try {
            return result((long) WRITE.invokeExact(state, descriptor, source, bytes));
        } catch (Throwable e) {
            throw new LinkageError("write", e);
        }
    }

    int mount(String source, String directory, String type, long flags, String options) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) result((int) MOUNT.invokeExact(
                    state,
                    arena.allocateFrom(source),
                    arena.allocateFrom(directory),
                    arena.allocateFrom(type),
                    flags,
                    arena.allocateFrom(options)));
        } catch (Throwable e) {
            throw new LinkageError("mount", e);
        }
    }

    int unmount(String directory, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) result((int) UNMOUNT.invokeExact(state, arena.allocateFrom(directory), flags));
        } catch (Throwable e) {
            throw new LinkageError("umount2", e);
        }
    }

    /** Whether a file is there: 0, or why it cannot be told. */
    int access(String path) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) result((int) ACCESS.invokeExact(state, arena.allocateFrom(path), 0));
        } catch (Throwable e) {
            throw new LinkageError("access", e);
        }
    }

    /** The user whom this process acts for; 0 is root. */
    int user() {
        try {
            return (int) USER.invokeExact(state);
        } catch (Throwable e) {
            throw new LinkageError("geteuid", e);
        }
    }
}
