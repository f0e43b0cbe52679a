// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;

/** The state's lines as they are in a snapshot. */
final class LineBytes {
    private LineBytes() {}

    static byte[] of(List<SavedLine> lines) {
        ByteBuf out = Unpooled.buffer();
        LineWriter writer = new LineWriter(out);
        lines.forEach(line -> writer.write(MachineLine.of(line)));
        return ByteBufUtil.getBytes(out);
    }

    static List<SavedLine> read(byte[] bytes) {
        return new LineReader(Unpooled.wrappedBuffer(bytes))
                .readAll().stream().map(MachineLine::state).toList();
    }
}
