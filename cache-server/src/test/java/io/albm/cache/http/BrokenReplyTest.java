// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.documents.DocumentHandler;
import io.albm.cache.documents.DocumentHeads;
import io.albm.cache.source.DirectorySource;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.StoreSettings;
import io.albm.cache.store.StoreStats;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A reply that breaks with an error, wherever that is, gives its document back and ends its connection. */
class BrokenReplyTest {
    private static final Duration A_SECOND = Duration.ofSeconds(1);

    @TempDir
    private Path root;

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final LoopChannel channel = new LoopChannel();
    private long nanos;
    private Place broken = Place.NOWHERE;
    private DocumentStore store;

    /** What a reply passes on its way. */
    enum Place {
        NOWHERE,
        DATE_OF_HEAD,
        COUNT_OF_REPLIES,
        COUNT_OF_BYTES,
        CHANNEL
    }

    private void pass(Place place) {
        if (broken == place) {
            throw new LinkageError("at the " + place);
        }
    }

    private final class Counter extends LongAdder {
        private final Place place;

        private Counter(Place place) {
            this.place = place;
        }

        @Override
        public void add(long more) {
            pass(place);
            super.add(more);
        }
    }

    private LongAdder counter(String name) {
        return switch (name) {
            case "http_responses_total" -> new Counter(Place.COUNT_OF_REPLIES);
            case "http_body_bytes_total" -> new Counter(Place.COUNT_OF_BYTES);
            default -> new LongAdder();
        };
    }

    private final class BreakingWrites extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            try {
                pass(Place.CHANNEL);
            } catch (LinkageError e) {
                ReferenceCountUtil.release(message);
                throw e;
            }
            ctx.write(message, promise);
        }
    }

    private Instant now() {
        pass(Place.DATE_OF_HEAD);
        return Instant.EPOCH.plusNanos(nanos);
    }

    @BeforeEach
    void connect() throws IOException {
        Files.write(root.resolve("small.bin"), new byte[1 << 10]);
        Files.write(root.resolve("middle.bin"), new byte[20 << 10]);
        Files.write(root.resolve("big.bin"), new byte[300 << 10]);
        store = new DocumentStore(
                new DirectorySource(root),
                new DocumentHeads(),
                new StoreSettings(4 << 20, "lru", 64, 8, 8, Duration.ofHours(1), Duration.ofSeconds(5)),
                new StoreStats((name, help, tags) -> new LongAdder()),
                tasks::add,
                PooledByteBufAllocator.DEFAULT,
                () -> nanos);
        var handler = new DocumentHandler(store, tasks::add, false);
        var stats = new HttpStats((name, help, tags) -> counter(name));
        var loop = new LoopContext(
                channel.eventLoop(), HttpSettings.DEFAULTS, stats, handler, new LoadLine(), () -> nanos, this::now);
        channel.freezeTime();
        channel.pipeline().addLast(new BreakingWrites(), new Connection(loop, channel));
    }

    @AfterEach
    void releaseWhatNobodyRead() {
        channel.finishAndReleaseAll();
    }

    private void request(String document, String line) {
        String head = "GET /" + document + " HTTP/1.1\r\nHost: h\r\n" + line + "\r\n";
        channel.writeInbound(Unpooled.copiedBuffer(head, StandardCharsets.US_ASCII));
    }

    private void read() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        channel.runPendingTasks();
    }

    private void letASecondPass() {
        nanos += A_SECOND.toNanos();
    }

    private static Stream<Arguments> failures() {
        return Stream.of("small.bin", "middle.bin", "big.bin")
                .flatMap(document -> Stream.of("", "Range: bytes=1-\r\n")
                        .flatMap(line -> Stream.of(Place.values())
                                .filter(place -> place != Place.NOWHERE)
                                .map(place -> Arguments.of(document, line, place))));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aHitThatBreaks(String document, String line, Place place) {
        request(document, line);
        read();
        assertThat(channel.sent()).startsWith("HTTP/1.1 20");
        letASecondPass();

        broken = place;
        request(document, line);

        assertNothingIsHeld();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aMissThatBreaks(String document, String line, Place place) {
        letASecondPass();
        request(document, line);

        broken = place;
        read();

        assertNothingIsHeld();
    }

    private void assertNothingIsHeld() {
        channel.runPendingTasks();
        assertThat(channel.isEnded()).isTrue();
        assertThat(store.residents()).isEqualTo(1);
        store.close();
        assertThat(store.memory().transit()).isZero();
        assertThat(store.memory().resident()).as("held by the reply still").isZero();
    }
}
