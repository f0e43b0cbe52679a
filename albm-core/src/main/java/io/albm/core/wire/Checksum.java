// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.buffer.ByteBuf;
import java.util.zip.CRC32C;

/** CRC32C (Castagnoli) over buffers where they lie; direct memory is read in place by the CPU's own instruction. */
public final class Checksum {

    private final CRC32C crc = new CRC32C();

    /** The checksum of a buffer's readable bytes; moves no index. */
    public static int of(ByteBuf buffer) {
        return new Checksum().update(buffer).value();
    }

    Checksum update(ByteBuf buffer) {
        return update(buffer, buffer.readerIndex(), buffer.readableBytes());
    }

    Checksum update(ByteBuf buffer, int index, int length) {
        if (buffer.nioBufferCount() == 1) {
            crc.update(buffer.nioBuffer(index, length));
            return this;
        }
        for (var part : buffer.nioBuffers(index, length)) {
            crc.update(part);
        }
        return this;
    }

    int value() {
        return (int) crc.getValue();
    }
}
