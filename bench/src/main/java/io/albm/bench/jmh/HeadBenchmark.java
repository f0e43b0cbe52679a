// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.core.http.RequestHead;
import io.albm.distributor.http.Client;
import io.albm.distributor.http.Forwarding;
import io.albm.distributor.http.RequestForwarder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What does it cost to read a request's head and to write the one that goes on: with Netty's codec, and on bytes? */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeadBenchmark {
    private static final Client CLIENT = new Client("127.0.0.1".getBytes(StandardCharsets.US_ASCII), false);
    private static final byte[] NOTHING_WAITS = {};
    private static final byte[] BACKEND = "127.0.0.1:81".getBytes(StandardCharsets.US_ASCII);
    private static final String HEAD = """
            GET /shop/items?page=2&sort=price HTTP/1.1
            Host: shop.example
            User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
            Accept-Language: en-US,en;q=0.5
            Accept-Encoding: gzip, deflate, br
            Connection: keep-alive
            Cookie: session=0123456789abcdef0123456789abcdef; theme=light

            """.replace("\n", "\r\n");

    @Param({"netty", "bytes"})
    public String kind = "";

    private final ByteBuf incoming = PooledByteBufAllocator.DEFAULT
            .directBuffer(HEAD.length())
            .writeBytes(HEAD.getBytes(StandardCharsets.US_ASCII));
    private final EmbeddedChannel decoder = new EmbeddedChannel(new HttpRequestDecoder());
    private final EmbeddedChannel encoder = new EmbeddedChannel(new HttpRequestEncoder());
    private final RequestHead head = new RequestHead(16 << 10);
    private final RequestForwarder forwarder = new RequestForwarder(Forwarding.PLAIN, new SplittableRandom(1));

    @Benchmark
    public int rewrite() {
        incoming.readerIndex(0);
        return kind.equals("netty") ? rewriteWithCodec() : rewriteBytes();
    }

    private int rewriteBytes() {
        head.reset();
        head.feed(incoming);
        return sent(forwarder.write(head, CLIENT, BACKEND, NOTHING_WAITS, PooledByteBufAllocator.DEFAULT));
    }

    private int rewriteWithCodec() {
        decoder.writeInbound(incoming.retainedDuplicate());
        HttpRequest request = decoder.readInbound();
        request.headers()
                .remove("Connection")
                .set("X-Forwarded-For", "127.0.0.1")
                .set("X-Forwarded-Proto", "http")
                .set("X-Forwarded-Host", request.headers().get("Host"))
                .set("Via", "1.1 albm");
        encoder.writeOutbound(request, decoder.readInbound());
        int length = sent(encoder.readOutbound());
        ReferenceCountUtil.release(encoder.readOutbound());
        return length;
    }

    private static int sent(ByteBuf bytes) {
        int length = bytes.readableBytes();
        bytes.release();
        return length;
    }

    @TearDown
    public void close() {
        incoming.release();
        decoder.finishAndReleaseAll();
        encoder.finishAndReleaseAll();
    }
}
