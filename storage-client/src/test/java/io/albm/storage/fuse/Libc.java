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
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** System calls that Java has no method for. Each gives what the function returned, or {@code -errno}. */
final class Libc {
    static final int RENAME_NOREPLACE = 1;
    static final int RENAME_EXCHANGE = 2;
    static final int KEEP_SIZE = 1;
    static final int PUNCH_HOLE = 3;
    static final int COLLAPSE_RANGE = 8;
    static final int ZERO_RANGE = 16;
    static final int INSERT_RANGE = 32;
    static final int SEEK_DATA = 3;
    static final int SEEK_HOLE = 4;

    private static final int AT_FDCWD = -100;
    private static final int O_RDONLY = 0;
    private static final int O_RDWR = 2;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final Map<Signature, MethodHandle> HANDLES = new ConcurrentHashMap<>();

    private Libc() {}

    static long rename(Path from, Path to, int flags) {
        return call("renameat2", AT_FDCWD, from.toString(), AT_FDCWD, to.toString(), flags);
    }

    static long mkfifo(Path path) {
        return call("mkfifo", path.toString(), 0644);
    }

    static long fallocate(Path path, int mode, long offset, long length) {
        return withFile(path, O_RDWR, file -> call("fallocate", file, mode, offset, length));
    }

    static long seek(Path path, long offset, int whence) {
        return withFile(path, O_RDONLY, file -> call("lseek", file, offset, whence));
    }

    /** What is done with an open file. */
    @FunctionalInterface
    interface Use {
        long with(int descriptor);
    }

    static long withFile(Path path, Use use) {
        return withFile(path, O_RDWR, use);
    }

    private static long withFile(Path path, int flags, Use use) {
        int file = (int) call("open64", path.toString(), flags);
        if (file < 0) {
            return file;
        }
        try {
            return use.with(file);
        } finally {
            call("close", file);
        }
    }

    /** As {@link #call(Actor, String, Object...)} does as root. */
    static long call(String function, Object... arguments) {
        return call(Actor.ROOT, function, arguments);
    }

    /** Arguments are ints, longs, strings and arrays, which the function may change; the result is that of the C function. */
    static long call(Actor actor, String function, Object... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            Object[] actual = new Object[arguments.length + 1];
            actual[0] = state;
            for (int next = 0; next < arguments.length; next++) {
                actual[next + 1] = carried(arguments[next], arena);
            }
            MethodHandle handle = HANDLES.computeIfAbsent(Signature.of(function, actual), Signature::handle);
            long value = ((Number) actor.acting(() -> handle.invokeWithArguments(actual))).longValue();
            for (int next = 0; next < arguments.length; next++) {
                if (arguments[next] instanceof long[] longs) {
                    MemorySegment.copy(
                            (MemorySegment) actual[next + 1], ValueLayout.JAVA_LONG, 0, longs, 0, longs.length);
                }
            }
            return value >= 0 ? value : -state.get(ValueLayout.JAVA_INT, 0);
        } catch (Throwable e) {
            throw new LinkageError(function, e);
        }
    }

    private static Object carried(Object argument, Arena arena) {
        return switch (argument) {
            case String text -> arena.allocateFrom(text);
            case long[] longs -> arena.allocateFrom(ValueLayout.JAVA_LONG, longs);
            default -> argument;
        };
    }

    /** A function and the types of its arguments, which depend on who calls. */
    private record Signature(String function, List<MemoryLayout> types) {
        private static final Set<String> LONG_RESULTS = Set.of("lseek", "pread", "pwrite", "copy_file_range");

        static Signature of(String function, Object[] actual) {
            return new Signature(
                    function,
                    Arrays.stream(actual)
                            .skip(1)
                            .<MemoryLayout>map(argument -> switch (argument) {
                                case MemorySegment _ -> ValueLayout.ADDRESS;
                                case Long _ -> ValueLayout.JAVA_LONG;
                                default -> ValueLayout.JAVA_INT;
                            })
                            .toList());
        }

        @SuppressWarnings("restricted")
        MethodHandle handle() {
            MemoryLayout result = LONG_RESULTS.contains(function) ? ValueLayout.JAVA_LONG : ValueLayout.JAVA_INT;
            return LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow(function),
                    FunctionDescriptor.of(result, types.toArray(MemoryLayout[]::new)),
                    Linker.Option.captureCallState("errno"));
        }
    }
}
