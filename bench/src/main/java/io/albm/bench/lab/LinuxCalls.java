// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;

/** The C library's functions that the JDK has no way to: namespaces and raw sockets. All fail with the call and its errno. */
final class LinuxCalls {
    private static final int O_RDONLY = 0;
    private static final int CLONE_NEWNET = 0x40000000;
    private static final int AF_INET = 2;
    private static final int SOCK_RAW = 3;
    private static final int IPPROTO_ICMP = 1;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int EAGAIN = 11;
    private static final int ADDRESS_BYTES = 16;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

    private static final MethodHandle OPEN =
            function("open", FunctionDescriptor.of(INT, ValueLayout.ADDRESS, INT), Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SETNS = function("setns", FunctionDescriptor.of(INT, INT, INT));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(INT, INT));
    private static final MethodHandle SOCKET = function("socket", FunctionDescriptor.of(INT, INT, INT, INT));
    private static final MethodHandle CONNECT =
            function("connect", FunctionDescriptor.of(INT, INT, ValueLayout.ADDRESS, INT));
    private static final MethodHandle SET_OPTION =
            function("setsockopt", FunctionDescriptor.of(INT, INT, INT, INT, ValueLayout.ADDRESS, INT));
    private static final FunctionDescriptor TRANSFER =
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, INT);
    private static final MethodHandle SEND = function("send", TRANSFER);
    private static final MethodHandle RECEIVE = function("recv", TRANSFER);

    private LinuxCalls() {}

    /** A call that leaves its {@code errno} in this memory. */
    @FunctionalInterface
    private interface Call {
        long make(Arena arena, MemorySegment state) throws Throwable;
    }

    @SuppressWarnings("restricted") // the C library that this process has anyhow
    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker.Option[] all = new Linker.Option[options.length + 1];
        System.arraycopy(options, 0, all, 0, options.length);
        all[options.length] = Linker.Option.captureCallState("errno");
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, all);
    }

    /** @return what the function returned, or {@code -errno} */
    private static long result(Call call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long returned = call.make(arena, state);
            return returned < 0 ? -(int) ERRNO.get(state, 0L) : returned;
        } catch (Throwable e) {
            throw new LinkageError("a call of the C library", e);
        }
    }

    private static int checked(String what, Call call) throws IOException {
        long result = result(call);
        if (result < 0) {
            throw new IOException(what + " failed: errno " + -result);
        }
        return (int) result;
    }

    /** Moves the calling thread, and threads that it starts from now on, into a network namespace. Takes root. */
    static void enterNetwork(Path namespace) throws IOException {
        int descriptor = checked("open of " + namespace, (arena, state) ->
                (int) OPEN.invokeExact(state, arena.allocateFrom(namespace.toString()), O_RDONLY));
        try {
            checked("setns to " + namespace, (_, state) -> (int) SETNS.invokeExact(state, descriptor, CLONE_NEWNET));
        } finally {
            close(descriptor);
        }
    }

    /** A raw ICMP socket of the calling thread's network that hears one address only. */
    static int openEcho(byte[] address, Duration patience) throws IOException {
        int socket = checked("socket", (_, state) -> (int) SOCKET.invokeExact(state, AF_INET, SOCK_RAW, IPPROTO_ICMP));
        checked("connect", (arena, state) -> {
            MemorySegment to = arena.allocate(ADDRESS_BYTES);
            to.set(ValueLayout.JAVA_SHORT, 0, (short) AF_INET);
            MemorySegment.copy(MemorySegment.ofArray(address), 0, to, Integer.BYTES, address.length);
            return (int) CONNECT.invokeExact(state, socket, to, ADDRESS_BYTES);
        });
        checked("setsockopt", (arena, state) -> {
            MemorySegment time = arena.allocate(2 * Long.BYTES, Long.BYTES);
            time.set(ValueLayout.JAVA_LONG, 0, patience.toSeconds());
            time.set(ValueLayout.JAVA_LONG, Long.BYTES, patience.toNanosPart() / 1000);
            return (int) SET_OPTION.invokeExact(state, socket, SOL_SOCKET, SO_RCVTIMEO, time, 2 * Long.BYTES);
        });
        return socket;
    }

    static void send(int socket, MemorySegment packet) throws IOException {
        checked("send", (_, state) -> (long) SEND.invokeExact(state, socket, packet, packet.byteSize(), 0));
    }

    /** Returns the bytes received, or -1 if none came in time. */
    static int receive(int socket, MemorySegment packet) throws IOException {
        long result = result((_, state) -> (long) RECEIVE.invokeExact(state, socket, packet, packet.byteSize(), 0));
        if (result < 0 && result != -EAGAIN) {
            throw new IOException("recv failed: errno " + -result);
        }
        return result < 0 ? -1 : (int) result;
    }

    static void close(int descriptor) throws IOException {
        checked("close", (_, state) -> (int) CLOSE.invokeExact(state, descriptor));
    }

    /** The bytes of a segment, in the network's order. */
    static ByteBuffer bytes(MemorySegment packet) {
        return packet.asByteBuffer().order(ByteOrder.BIG_ENDIAN);
    }
}
