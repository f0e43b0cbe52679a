// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread's part of a session: reads a request, has it served, writes the answer, until the file system is unmounted.
 * Request and answer lie in one buffer of its own, so its memory is bounded and nothing is copied in between.
 */
final class Worker {
    private static final Logger log = LoggerFactory.getLogger(Worker.class);

    private final FuseSession session;
    private final FuseDevice device;
    private final Dispatcher dispatcher;
    private final Interrupts interrupts;
    private final SystemCalls calls;
    private final MemorySegment memory;
    private final ByteBuffer request;
    private final ByteBuffer answer;

    /**
     * To be made and run by the same thread.
     *
     * @param arena outlives this
     */
    Worker(FuseSession session, Arena arena) {
        this.session = session;
        device = session.device();
        dispatcher = session.dispatcher();
        interrupts = session.interrupts();
        calls = new SystemCalls(arena);
        memory = arena.allocate(Negotiation.BUFFER_BYTES, Long.BYTES);
        request = memory.asByteBuffer().order(ByteOrder.nativeOrder());
        answer = memory.asByteBuffer().order(ByteOrder.nativeOrder());
    }

    /** Serves until the end of the mount. */
    void run() throws IOException {
        long bytes = calls.read(device.descriptor(), memory, memory.byteSize());
        while (!isEnd(bytes)) {
            if (bytes >= RequestReader.HEADER_BYTES) {
                serve((int) bytes);
            }
            bytes = calls.read(device.descriptor(), memory, memory.byteSize());
        }
    }

    /** A request that was taken back before it was read is no end: ENOENT, EINTR and EAGAIN. */
    private static boolean isEnd(long bytes) throws IOException {
        if (bytes >= 0
                || bytes == -Errno.ENOENT.code()
                || bytes == -Errno.EINTR.code()
                || bytes == -Errno.EAGAIN.code()) {
            return false;
        }
        if (bytes == -Errno.ENODEV.code()) {
            return true;
        }
        throw new IOException("reading requests failed: " + Errno.text((int) -bytes));
    }

    /** What fails outside of the file system, for want of memory for example, must not end the thread. */
    private void serve(int bytes) {
        long unique = request.getLong(RequestReader.UNIQUE_OFFSET);
        boolean first = request.getInt(RequestReader.OPCODE_OFFSET) == Opcode.INIT.code();
        interrupts.begin(unique, request.getInt(RequestReader.PID_OFFSET));
        try {
            int length = dispatcher.serve(
                    new RequestReader(request.clear().limit(bytes)), new ReplyWriter(answer, session.options()));
            if (length > 0) {
                send(unique, length);
            }
            if (first) {
                session.negotiated(answer.getInt(ReplyWriter.ERROR_OFFSET));
            }
        } catch (RuntimeException | Error failure) {
            send(unique, ReplyWriter.failed(answer, unique, Errno.EIO));
        } finally {
            interrupts.end(unique);
        }
    }

    /** A request that nobody waits for any more, or whose mount is gone, needs no answer: ENOENT and ENODEV. */
    private void send(long unique, int length) {
        long written = calls.write(device.descriptor(), memory, length);
        if (written < 0 && written != -Errno.ENOENT.code() && written != -Errno.ENODEV.code()) {
            log.error("the kernel refused an answer: {}", Errno.text((int) -written));
            int failed = ReplyWriter.failed(answer, unique, Errno.EIO);
            long _ = calls.write(device.descriptor(), memory, failed);
        }
    }
}
