// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.http.Framing;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a handler may rely on, and what a client gets, without a socket in between. */
class ConnectionTest {
    private static final int CASES = 3_000;
    private static final HttpStats STATS = new HttpStats((name, help, tags) -> new LongAdder());
    private static final HttpSettings SETTINGS = HttpSettings.DEFAULTS;
    private static final String GET = "GET /%s HTTP/1.1\r\nHost: h\r\n\r\n";

    private final AtomicLong nanos = new AtomicLong();
    private final List<Exchange> waiting = new ArrayList<>();
    private final List<LoopChannel> connected = new ArrayList<>();

    @AfterEach
    void releaseWhatNobodyRead() {
        connected.forEach(LoopChannel::finishAndReleaseAll);
    }

    private LoopChannel connect(RequestHandler handler) {
        LoopChannel channel = open(handler);
        connected.add(channel);
        return channel;
    }

    private LoopChannel open(RequestHandler handler) {
        LoopChannel channel = new LoopChannel();
        var loop = new LoopContext(
                channel.eventLoop(),
                SETTINGS,
                STATS,
                handler,
                new LoadLine(),
                nanos::get,
                () -> Instant.EPOCH.plusNanos(nanos.get()));
        channel.freezeTime();
        channel.config().setAllocator(UnpooledByteBufAllocator.DEFAULT);
        channel.pipeline().addLast(new Connection(loop, channel));
        return channel;
    }

    private static void send(LoopChannel channel, String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
    }

    private static void answer(Exchange exchange, String body) {
        exchange.newHead()
                .put("HTTP/1.1 200 OK\r\nContent-Length: ")
                .put(body.length())
                .crlf();
        exchange.reply(200, Unpooled.copiedBuffer(body, StandardCharsets.ISO_8859_1));
    }

    private static String ok(String body) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private static void echo(Exchange exchange) {
        answer(exchange, exchange.head().target());
    }

    @Test
    void answersPipelinedRequestsInOneWrite() {
        LoopChannel channel = connect(ConnectionTest::echo);

        send(channel, GET.formatted("a") + GET.formatted("b") + GET.formatted("c"));

        assertThat(channel.outboundMessages()).hasSize(1);
        assertThat(channel.sent()).isEqualTo(ok("/a") + ok("/b") + ok("/c"));
    }

    @Test
    void holdsBackRepliesUntilTheirTurn() {
        LoopChannel channel = connect(waiting::add);
        send(channel, GET.formatted("a") + GET.formatted("b") + GET.formatted("c"));
        assertThat(waiting).hasSize(3);

        answer(waiting.get(2), "3");
        waiting.get(1).newHead().put("HTTP/1.1 200 OK\r\n");
        waiting.get(1).begin(200, Framing.CHUNKED);
        waiting.get(1).write(Unpooled.copiedBuffer("2", StandardCharsets.US_ASCII));
        assertThat(waiting.get(1).isWritable()).isFalse();
        assertThat(channel.sent()).isEmpty();

        answer(waiting.get(0), "1");
        assertThat(waiting.get(1).isWritable()).isTrue();
        waiting.get(1).end();

        String second = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n2\r\n0\r\n\r\n";
        assertThat(channel.sent()).isEqualTo(ok("1") + second + ok("3"));
    }

    @Test
    void sendsWhatWasWrittenOfAReplyThatIsCut() {
        LoopChannel channel = connect(exchange -> {
            exchange.newHead().put("HTTP/1.1 200 OK\r\n");
            exchange.begin(200, Framing.CHUNKED);
            exchange.write(Unpooled.copiedBuffer("2", StandardCharsets.US_ASCII));
            exchange.cut();
        });

        send(channel, GET.formatted("a"));

        assertThat(channel.sent()).isEqualTo("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n2");
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void takesNoMoreRequestsThanThePipelineIsDeep() {
        LoopChannel channel = connect(waiting::add);

        send(channel, GET.formatted("a").repeat(SETTINGS.pipelineDepth() + 5));

        assertThat(waiting).hasSize(SETTINGS.pipelineDepth());
        assertThat(channel.config().isAutoRead()).isFalse();
        answer(waiting.getFirst(), "1");
        assertThat(waiting).hasSize(SETTINGS.pipelineDepth() + 1);
    }

    @Test
    void runsRequestsWithABodyAlone() {
        LoopChannel channel = connect(waiting::add);
        String post = "POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc";

        send(channel, GET.formatted("a") + post + GET.formatted("b"));
        assertThat(waiting).hasSize(1);
        answer(waiting.get(0), "1");
        assertThat(waiting).hasSize(2);
        answer(waiting.get(1), "2");
        assertThat(waiting).hasSize(3);

        assertThat(channel.sent()).isEqualTo(ok("1") + ok("2"));
        assertThat(waiting.get(2).head().target()).isEqualTo("/b");
    }

    @Test
    void givesABodyToWhoAsksForItAsFastAsItIsWanted() {
        var body = new StringBuilder();
        LoopChannel channel = connect(waiting::add);
        send(
                channel,
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n");
        Exchange exchange = waiting.getFirst();

        exchange.readBody(new RequestBody() {
            @Override
            public void bytes(ByteBuf bytes) {
                body.append(bytes.toString(StandardCharsets.US_ASCII));
                bytes.release();
            }

            @Override
            public void end() {
                answer(exchange, body.toString());
            }
        });

        assertThat(channel.sent()).isEqualTo(ok("abc"));
    }

    @Test
    void tellsAClientThatWaitsToContinueOnlyIfItsBodyIsWanted() {
        String post = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n";
        LoopChannel wanted = connect(waiting::add);
        send(wanted, post);
        waiting.getFirst().readBody(new RequestBody() {
            @Override
            public void bytes(ByteBuf bytes) {
                bytes.release();
            }

            @Override
            public void end() {
                answer(waiting.getFirst(), "done");
            }
        });
        assertThat(wanted.sent()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
        send(wanted, "abc");
        assertThat(wanted.sent()).isEqualTo(ok("done"));

        LoopChannel unwanted = connect(ConnectionTest::echo);
        send(unwanted, post);
        assertThat(unwanted.sent()).contains("Connection: close\r\n").doesNotContain("100 Continue");
        assertThat(unwanted.isEnded()).isTrue();
    }

    @Test
    void refusesABrokenHeadAfterTheRepliesBeforeIt() {
        LoopChannel channel = connect(waiting::add);
        send(channel, GET.formatted("a") + "GET / HTTP/1.1\r\n bad\r\n\r\n" + GET.formatted("b"));
        assertThat(channel.sent()).isEmpty();

        answer(waiting.getFirst(), "1");

        assertThat(channel.sent()).startsWith(ok("1") + "HTTP/1.1 400 Bad Request\r\n");
        assertThat(channel.isEnded()).isTrue();
        assertThat(waiting).hasSize(1);
    }

    @Test
    void releasesWhatANoLongerWaitingClientIsGiven() {
        LoopChannel channel = connect(waiting::add);
        send(channel, GET.formatted("a") + GET.formatted("b"));
        var told = new AtomicInteger();
        ByteBuf held = Unpooled.copiedBuffer("held back", StandardCharsets.US_ASCII);
        ByteBuf late = Unpooled.copiedBuffer("late", StandardCharsets.US_ASCII);
        waiting.get(0).onGone(told::incrementAndGet);
        waiting.get(1).newHead().put("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n");
        waiting.get(1).reply(200, held);

        channel.close();

        assertThat(told).hasValue(1);
        assertThat(held.refCnt()).isZero();
        assertThat(waiting.get(0).isGone()).isTrue();
        waiting.get(0).newHead().put("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n");
        waiting.get(0).reply(200, late);
        assertThat(late.refCnt()).isZero();
    }

    @Test
    void releasesWhatBreaksWhenItsTurnComesAndAllBehindIt() {
        LoopChannel channel = connect(waiting::add);
        send(channel, GET.formatted("a") + GET.formatted("b"));
        ByteBuf memory = Unpooled.copiedBuffer("held back", StandardCharsets.US_ASCII);
        ByteBuf breaking = Unpooled.copiedBuffer("held back", StandardCharsets.US_ASCII);
        ByteBuf behind = Unpooled.copiedBuffer("behind it", StandardCharsets.US_ASCII);
        Exchange second = waiting.get(1);
        second.newHead().put("HTTP/1.1 200 OK\r\nContent-Length: 18\r\n");
        second.begin(200, Framing.LENGTH);
        second.writeShared(memory, memory.capacity(), 9, breaking);
        second.write(behind);

        assertThatThrownBy(() -> answer(waiting.get(0), "1")).isInstanceOf(IndexOutOfBoundsException.class);
        waiting.get(0).fail("what follows is broken");

        assertThat(breaking.refCnt()).isZero();
        assertThat(behind.refCnt()).isZero();
        assertThat(channel.isOpen()).isFalse();
        memory.release();
    }

    @Test
    void speaksHttp10ToWhoDoes() {
        LoopChannel channel = connect(exchange -> {
            exchange.newHead().put("HTTP/1.1 200 OK\r\n");
            exchange.begin(200, Framing.CHUNKED);
            exchange.write(Unpooled.copiedBuffer("data", StandardCharsets.US_ASCII));
            exchange.end();
        });

        send(channel, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");

        assertThat(channel.sent()).isEqualTo("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\ndata");
        assertThat(channel.isEnded()).isTrue();
    }

    private void pass(LoopChannel channel, Duration time) {
        nanos.addAndGet(time.toNanos());
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void datesAReplyThatIsGivenLaterByThen() {
        LoopChannel channel = connect(waiting::add);
        send(channel, GET.formatted("a") + GET.formatted("b"));
        for (Exchange exchange : waiting) {
            exchange.newHead().put("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n").put(exchange.dateLine());
            exchange.reply(200, Unpooled.EMPTY_BUFFER);
            nanos.addAndGet(Duration.ofSeconds(7).toNanos());
        }

        assertThat(channel.sent()).contains("00:00:00 GMT", "00:00:07 GMT");
    }

    @Test
    void countsNoTimeAgainstAHeadThatItDoesNotRead() {
        LoopChannel channel = connect(waiting::add);
        send(channel, GET.formatted("a") + "GET /b HTTP/1.1\r\n");
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        channel.runPendingTasks();
        send(channel, "Host: h\r\n");
        pass(channel, SETTINGS.headTimeout().multipliedBy(2));
        assertThat(channel.sent()).isEmpty();

        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
        channel.runPendingTasks();
        pass(channel, SETTINGS.headTimeout().dividedBy(2));
        send(channel, "\r\n");
        assertThat(waiting).hasSize(2);
        answer(waiting.get(0), "1");
        answer(waiting.get(1), "2");
        assertThat(channel.sent()).isEqualTo(ok("1") + ok("2"));
    }

    @Test
    void refusesAHeadThatComesTooSlowlyAfterItWasReadAgain() {
        LoopChannel channel = connect(waiting::add);
        send(channel, "GET /b HTTP/1.1\r\n");
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
        channel.runPendingTasks();
        send(channel, "Host: h\r\n");
        channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
        channel.runPendingTasks();

        pass(channel, SETTINGS.headTimeout().plusSeconds(1));

        assertThat(channel.sent()).startsWith("HTTP/1.1 408 ");
    }

    /** However the bytes come, the same is understood; and nothing that comes breaks the connection's own rules. */
    @Test
    void answersTheSameToRandomRequestsWholeAndByteByByte() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < CASES; i++) {
            String requests = RandomRequests.some(random);
            String whole = answers(requests, () -> requests.length());
            String inPieces = answers(requests, () -> 1 + random.nextInt(requests.length()));
            String byteWise = i % 4 == 0 ? answers(requests, () -> 1) : whole;
            if (!whole.equals(inPieces) || !whole.equals(byteWise)) {
                assertThat(inPieces).as(requests).isEqualTo(whole);
                assertThat(byteWise).as(requests).isEqualTo(whole);
            }
        }
    }

    private String answers(String requests, Supplier<Integer> piece) {
        LoopChannel channel = open(ConnectionTest::echo);
        for (int at = 0; at < requests.length() && channel.isOpen(); ) {
            int end = Math.min(requests.length(), at + piece.get());
            send(channel, requests.substring(at, end));
            at = end;
        }
        String sent = channel.sent() + (channel.isEnded() ? "|end" : "|open");
        channel.finishAndReleaseAll();
        return sent;
    }
}
