// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/** How a file turns from one whole version into another while it is served: in several steps, as programs write. */
enum FileChange {
    /** Another file is renamed over it. */
    REPLACED {
        @Override
        byte[] next(byte[] old, byte[] fresh) {
            return fresh;
        }

        @Override
        void apply(Path file, byte[] old, byte[] next) throws IOException {
            Path beside = file.resolveSibling(file.getFileName() + ".new");
            Files.write(beside, next);
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        }
    },

    /** Other bytes are written over its first ones. */
    REWRITTEN {
        @Override
        byte[] next(byte[] old, byte[] fresh) {
            byte[] next = old.clone();
            System.arraycopy(fresh, 0, next, 0, Math.min(fresh.length, old.length));
            return next;
        }

        @Override
        void apply(Path file, byte[] old, byte[] next) throws IOException {
            write(file, next, StandardOpenOption.WRITE);
        }
    },

    /** Its second half is lost. */
    TRUNCATED {
        @Override
        byte[] next(byte[] old, byte[] fresh) {
            return Arrays.copyOf(old, old.length / 2);
        }

        @Override
        void apply(Path file, byte[] old, byte[] next) throws IOException {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(next.length);
            }
        }
    },

    /** It grows. */
    APPENDED {
        @Override
        byte[] next(byte[] old, byte[] fresh) {
            var next = new ByteArrayOutputStream();
            next.writeBytes(old);
            next.write(fresh, 0, fresh.length / 2);
            return next.toByteArray();
        }

        @Override
        void apply(Path file, byte[] old, byte[] next) throws IOException {
            write(file, Arrays.copyOfRange(next, old.length, next.length), StandardOpenOption.APPEND);
        }
    },

    /** It is gone, and then there is another one. */
    MADE_ANEW {
        @Override
        byte[] next(byte[] old, byte[] fresh) {
            return fresh;
        }

        @Override
        void apply(Path file, byte[] old, byte[] next) throws IOException {
            Files.delete(file);
            write(file, next, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
    };

    private static final int PIECES = 16;
    private static final long PAUSE_NANOS = 100_000;

    /** What the file says after the change, where {@code fresh} are bytes that it never had. */
    abstract byte[] next(byte[] old, byte[] fresh);

    abstract void apply(Path file, byte[] old, byte[] next) throws IOException;

    private static void write(Path file, byte[] bytes, StandardOpenOption... how) throws IOException {
        int piece = bytes.length / PIECES + 1;
        try (FileChannel channel = FileChannel.open(file, how)) {
            for (int at = 0; at < bytes.length; at += piece) {
                channel.write(ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at)));
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
