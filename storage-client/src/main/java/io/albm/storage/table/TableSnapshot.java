// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A machine as bytes, cut into chunks that fit a node each: a word that names the format, then blocks of lines
 * ({@link LineWriter}), each its length, its deflated length and what is deflated (RFC 1950), then a length of zero.
 */
final class TableSnapshot {
    private static final int FORMAT = 0x414C_4202;
    private static final int BLOCK_BYTES = 256 * 1024;
    private static final int CHUNK_BYTES = 512 * 1024;

    private TableSnapshot() {}

    static List<byte[]> write(TableMachine machine) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Blocks blocks = new Blocks(new DataOutputStream(bytes))) {
            machine.save(blocks::add);
            blocks.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cut(bytes.toByteArray());
    }

    private static List<byte[]> cut(byte[] bytes) {
        List<byte[]> chunks = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += CHUNK_BYTES) {
            chunks.add(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + CHUNK_BYTES)));
        }
        return chunks;
    }

    /** @throws UncheckedIOException if the chunks are not all there or not what was written */
    static TableMachine read(long maxInodes, List<byte[]> chunks) {
        InputStream bytes = new SequenceInputStream(Collections.enumeration(
                chunks.stream().<InputStream>map(ByteArrayInputStream::new).toList()));
        try (DataInputStream in = new DataInputStream(bytes)) {
            if (in.readInt() != FORMAT) {
                throw new IOException("a snapshot of the file table in a format of another version");
            }
            return TableMachine.load(maxInodes, lines(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (WireException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    private static Iterator<MachineLine> lines(DataInputStream in) {
        return Stream.generate(() -> block(in))
                .takeWhile(block -> !block.isEmpty())
                .flatMap(List::stream)
                .iterator();
    }

    /** Empty at the end. */
    private static List<MachineLine> block(DataInputStream in) {
        try {
            int length = in.readInt();
            return length == 0 ? List.of() : new LineReader(inflated(in, length)).readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ByteBuf inflated(DataInputStream in, int length) throws IOException {
        int deflatedLength = in.readInt();
        if (length < 0 || deflatedLength < 0) {
            throw new IOException("a block of " + length + " bytes, deflated " + deflatedLength);
        }
        byte[] deflated = in.readNBytes(deflatedLength);
        byte[] lines = new InflaterInputStream(new ByteArrayInputStream(deflated)).readNBytes(length);
        if (lines.length != length) {
            throw new EOFException("a block of " + lines.length + " bytes, expected " + length);
        }
        return Unpooled.wrappedBuffer(lines);
    }

    /** What is written, a block at a time. */
    private static final class Blocks implements AutoCloseable {
        private final DataOutputStream out;
        private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        private final ByteBuf block = Unpooled.buffer(BLOCK_BYTES);
        private LineWriter lines = new LineWriter(block);

        Blocks(DataOutputStream out) throws IOException {
            this.out = out;
            out.writeInt(FORMAT);
        }

        void add(MachineLine line) {
            lines.write(line);
            if (block.readableBytes() >= BLOCK_BYTES) {
                flush();
            }
        }

        private void flush() {
            ByteArrayOutputStream deflated = new ByteArrayOutputStream(BLOCK_BYTES);
            try {
                int length = block.readableBytes();
                try (DeflaterOutputStream deflating = new DeflaterOutputStream(deflated, deflater)) {
                    block.readBytes(deflating, length);
                }
                out.writeInt(length);
                out.writeInt(deflated.size());
                deflated.writeTo(out);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            deflater.reset();
            block.clear();
            lines = new LineWriter(block);
        }

        void end() throws IOException {
            if (block.isReadable()) {
                flush();
            }
            out.writeInt(0);
        }

        @Override
        public void close() {
            deflater.end();
            block.release();
        }
    }
}
