// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.net.URI;

/** An NFS 4 export through libnfs, the client library in user space. For one thread; it lives as long as the process. */
final class LibNfs implements Names {
    private static final String LIBRARY = "libnfs.so.13";
    private static final int VERSION = 4;
    private static final int MODE = 0644;

    /** More than {@code struct nfs_stat_64} has. */
    private static final int STAT_BYTES = 512;

    private final Arena arena = Arena.global();
    private final SymbolLookup library;
    private final MemorySegment context;
    private final MethodHandle creat;
    private final MethodHandle close;
    private final MethodHandle stat;
    private final MethodHandle unlink;
    private final MemorySegment handle = arena.allocate(ADDRESS);
    private final MemorySegment attributes = arena.allocate(STAT_BYTES, Long.BYTES);

    @SuppressWarnings("restricted") // programs of this JAR are started with leave for native access
    private LibNfs() throws IOException {
        try {
            library = SymbolLookup.libraryLookup(LIBRARY, arena);
        } catch (IllegalArgumentException e) {
            throw new IOException("no " + LIBRARY, e);
        }
        context = (MemorySegment) call(function("nfs_init_context", FunctionDescriptor.of(ADDRESS)));
        creat = function("nfs_creat", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, ADDRESS));
        close = function("nfs_close", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
        stat = function("nfs_stat64", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
        unlink = function("nfs_unlink", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    }

    /** Mounts {@code nfs://HOST/EXPORT}. */
    static LibNfs mount(String url) throws IOException {
        LibNfs nfs = new LibNfs();
        URI export = URI.create(url);
        MethodHandle version = nfs.function("nfs_set_version", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
        check("set version", call(version, nfs.context, VERSION));
        MethodHandle mount = nfs.function("nfs_mount", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS));
        check(
                "mount " + url,
                call(
                        mount,
                        nfs.context,
                        nfs.arena.allocateFrom(export.getHost()),
                        nfs.arena.allocateFrom(export.getPath())));
        return nfs;
    }

    @Override
    public void create(String name) throws IOException {
        try (Arena call = Arena.ofConfined()) {
            check("create " + name, call(creat, context, path(call, name), MODE, handle));
        }
        check("close " + name, call(close, context, handle.get(ADDRESS, 0)));
    }

    @Override
    public void stat(String name) throws IOException {
        try (Arena call = Arena.ofConfined()) {
            check("stat " + name, call(stat, context, path(call, name), attributes));
        }
    }

    @Override
    public void remove(String name) throws IOException {
        try (Arena call = Arena.ofConfined()) {
            check("remove " + name, call(unlink, context, path(call, name)));
        }
    }

    private static MemorySegment path(Arena call, String name) {
        return call.allocateFrom("/" + name);
    }

    @SuppressWarnings("restricted")
    private MethodHandle function(String name, FunctionDescriptor type) throws IOException {
        MemorySegment symbol = library.find(name).orElseThrow(() -> new IOException(LIBRARY + " has no " + name));
        return Linker.nativeLinker().downcallHandle(symbol, type);
    }

    private static Object call(MethodHandle function, Object... arguments) {
        try {
            return function.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException("a call of libnfs cannot throw", e);
        }
    }

    /** The library answers with a negative errno. */
    private static void check(String what, Object answer) throws IOException {
        if ((int) answer < 0) {
            throw new IOException(what + ": errno " + -(int) answer);
        }
    }
}
