// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.wire.Frame;
import io.albm.core.wire.Reply;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of the tail's frames, as docs/wire-storage.md shows them. A change here breaks old nodes. */
class TailFramesTest {
    private static final List<byte[]> ENTRIES =
            List.of("a".getBytes(StandardCharsets.UTF_8), "bc".getBytes(StandardCharsets.UTF_8));

    private static Frame frame(int type, ByteBuf header, ByteBuf body) {
        return new Frame(type, 1, 1000, header, body);
    }

    private static ByteBuf hex(String digits) {
        return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(digits));
    }

    private static void malformed(Frame frame) {
        assertThatExceptionOfType(WireException.class)
                .isThrownBy(() -> TailFrames.append(frame))
                .extracting(WireException::code)
                .isEqualTo(WireCode.MALFORMED);
    }

    @Test
    void appendsKeepTheirFormat() {
        TailAppend append = new TailAppend(3, 10, 11, ENTRIES);
        String header = "0000000000000003" + "000000000000000a" + "000000000000000b";

        assertThat(ByteBufUtil.hexDump(TailFrames.header(append))).isEqualTo(header);
        assertThat(ByteBufUtil.hexDump(TailFrames.body(ENTRIES))).isEqualTo("610a62630a");
        assertThat(TailFrames.append(frame(TailFrames.APPEND, hex(header), hex("610a62630a"))))
                .usingRecursiveComparison()
                .isEqualTo(append);
    }

    @Test
    void answersKeepTheirFormat() {
        Reply held = TailFrames.reply(new Held(4, 12));
        Reply tail = TailFrames.reply(new Tail(3, 11, ENTRIES));

        assertThat(ByteBufUtil.hexDump(held.header())).isEqualTo("0000000000000004" + "000000000000000c");
        assertThat(ByteBufUtil.hexDump(tail.header())).isEqualTo("0000000000000003" + "000000000000000b");
        assertThat(TailFrames.held(frame(held.type(), held.header(), Unpooled.EMPTY_BUFFER)))
                .isEqualTo(new Held(4, 12));
        assertThat(TailFrames.tail(frame(tail.type(), tail.header(), (ByteBuf) tail.body())))
                .usingRecursiveComparison()
                .isEqualTo(new Tail(3, 11, ENTRIES));
        assertThat(TailFrames.collect(frame(TailFrames.COLLECT, TailFrames.header(5), Unpooled.EMPTY_BUFFER)))
                .isEqualTo(5);
    }

    @Test
    void hostileAppendsAreRefused() {
        ByteBuf whole = TailFrames.header(3, 10, 11);
        malformed(frame(TailFrames.APPEND, TailFrames.header(3, 10), Unpooled.EMPTY_BUFFER));
        malformed(frame(TailFrames.APPEND, TailFrames.header(3, 10, 11, 12), Unpooled.EMPTY_BUFFER));
        malformed(frame(TailFrames.APPEND, TailFrames.header(3, 10, -1), Unpooled.EMPTY_BUFFER));
        malformed(frame(TailFrames.APPEND, whole, hex("610a62")));
    }
}
