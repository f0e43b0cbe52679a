// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** System calls that Java has no method for. Each gives what the function returned, or {@code -errno}. */
final class Libc {
    static final int RENAME_NOREPLACE = 1;
    static final int RENAME_EXCHANGE = 2;
    static final int KEEP_SIZE = 1;
    static final int PUNCH_HOLE = 3;
    static final int ZERO_RANGE = 16;
    static final int SEEK_DATA = 3;
    static final int SEEK_HOLE = 4;

    private static final int AT_FDCWD = -100;
    private static final int O_RDWR = 2;

    private Libc() {}

    static long rename(Path from, Path to, int flags) {
        return call("renameat2", AT_FDCWD, from.toString(), AT_FDCWD, to.toString(), flags);
    }

    static long mkfifo(Path path) {
        return call("mkfifo", path.toString(), 0644);
    }

    static long fallocate(Path path, int mode, long offset, long length) {
        return withFile(path, file -> call("fallocate", file, mode, offset, length));
    }

    static long seek(Path path, long offset, int whence) {
        return withFile(path, file -> call("lseek", file, offset, whence));
    }

    /** What is done with an open file. */
    @FunctionalInterface
    interface Use {
        long with(int descriptor);
    }

    static long withFile(Path path, Use use) {
        int file = (int) call("open64", path.toString(), O_RDWR);
        if (file < 0) {
            return file;
        }
        try {
            return use.with(file);
        } finally {
            call("close", file);
        }
    }

    /** Arguments are ints, longs and strings; the result is that of the C function. */
    @SuppressWarnings("restricted")
    static long call(String function, Object... arguments) {
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            List<Object> actual = new ArrayList<>(List.of(state));
            List<MemoryLayout> types = new ArrayList<>();
            for (Object argument : arguments) {
                actual.add(argument instanceof String text ? arena.allocateFrom(text) : argument);
                types.add(
                        switch (argument) {
                            case String _ -> ValueLayout.ADDRESS;
                            case Long _ -> ValueLayout.JAVA_LONG;
                            default -> ValueLayout.JAVA_INT;
                        });
            }
            MemoryLayout result = function.equals("lseek") ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
            Object returned = linker.downcallHandle(
                            linker.defaultLookup().findOrThrow(function),
                            FunctionDescriptor.of(result, types.toArray(MemoryLayout[]::new)),
                            Linker.Option.captureCallState("errno"))
                    .invokeWithArguments(actual);
            long value = ((Number) returned).longValue();
            return value >= 0 ? value : -state.get(ValueLayout.JAVA_INT, 0);
        } catch (Throwable e) {
            throw new LinkageError(function, e);
        }
    }
}
