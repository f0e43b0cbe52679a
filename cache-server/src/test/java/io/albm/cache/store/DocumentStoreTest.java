// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.cache.source.Coding;
import io.albm.cache.source.DocumentPath;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentStoreTest {

    private final FakeSource source = new FakeSource();
    private final AtomicLong nanos = new AtomicLong();
    private final List<DocumentStore> opened = new ArrayList<>();

    @AfterEach
    void leavesNoByteBehind() {
        source.gate.countDown();
        for (DocumentStore store : opened) {
            store.close();
            await().untilAsserted(() -> {
                assertThat(store.residentBytes()).isZero();
                assertThat(store.transitBytes()).isZero();
                assertThat(store.windowOccupancy()).isZero();
            });
        }
    }

    private DocumentStore store(long capacity) {
        return store(capacity, "window-lru", 4, 100);
    }

    private DocumentStore store(long capacity, String policy, int readers, int queued) {
        StoreSettings settings =
                new StoreSettings(capacity, policy, 64, readers, queued, Duration.ofSeconds(1), Duration.ofMillis(200));
        DocumentStore store = source.store(settings, nanos::get);
        opened.add(store);
        return store;
    }

    private static CompletableFuture<Outcome> ask(DocumentStore store, String path) {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        store.request(new DocumentPath(path), answer::complete);
        return answer;
    }

    private static String text(DocumentStore store, String path) {
        Document document = found(store, path);
        String text = document.content().toString(StandardCharsets.UTF_8);
        document.release();
        return text;
    }

    private static Document found(DocumentStore store, String path) {
        return ((Outcome.Found) ask(store, path).join()).document();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void answersAHitAtOnceOnTheCallingThread() {
        source.put("/a", bytes("hello"));
        DocumentStore store = store(1000);
        assertThat(text(store, "/a")).isEqualTo("hello");

        CompletableFuture<Outcome> hit = ask(store, "/a");

        assertThat(hit).isDone();
        ((Outcome.Found) hit.join()).document().release();
        assertThat(source.reads).hasValue(1);
        assertThat(store.stats().objectHitRatio()).isEqualTo(0.5);
        assertThat(store.stats().byteHitRatio()).isEqualTo(0.5);
    }

    @Test
    void readsOnceForAllThatWait() {
        source.put("/a", bytes("hello"));
        source.gate = new CountDownLatch(1);
        DocumentStore store = store(1000);

        List<CompletableFuture<Outcome>> answers =
                IntStream.range(0, 50).mapToObj(i -> ask(store, "/a")).toList();
        assertThat(store.windowOccupancy()).isEqualTo(50);
        source.gate.countDown();

        for (CompletableFuture<Outcome> answer : answers) {
            Document document = ((Outcome.Found) answer.join()).document();
            assertThat(document.content().toString(StandardCharsets.UTF_8)).isEqualTo("hello");
            document.release();
        }
        assertThat(source.reads).hasValue(1);
        assertThat(store.stats().coalesced()).isEqualTo(49);
        assertThat(store.windowOccupancy()).isZero();
    }

    @Test
    void requestsThatAReadAnswersAreNoReasonToKeepItsDocument() {
        DocumentStore store = store(100, "window-aware", 4, 100);
        for (int request = 0; request < 100; request++) {
            String path = "/small" + request % 10;
            source.put(path, bytes("0123456789"));
            text(store, path);
        }
        source.put("/large", new byte[100]);
        source.gate = new CountDownLatch(1);
        List<CompletableFuture<Outcome>> answers =
                IntStream.range(0, 5).mapToObj(i -> ask(store, "/large")).toList();

        source.gate.countDown();

        answers.forEach(answer -> ((Outcome.Found) answer.join()).document().release());
        assertThat(store.residents()).isEqualTo(10);
        assertThat(store.stats().refusedAdmissions()).isEqualTo(1);
    }

    @Test
    void tellsAFailureToAllThatWaitAndForgetsIt() {
        source.put("/a", bytes("hello"));
        source.gate = new CountDownLatch(1);
        source.failure = new IOException("disk");
        DocumentStore store = store(1000);
        List<CompletableFuture<Outcome>> answers =
                IntStream.range(0, 10).mapToObj(i -> ask(store, "/a")).toList();

        source.gate.countDown();

        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isInstanceOf(Outcome.Failed.class));
        source.failure = null;
        assertThat(text(store, "/a")).isEqualTo("hello");
    }

    @Test
    void tellsAnErrorToAllThatWaitAndGoesOnReading() {
        source.put("/a", bytes("hello"));
        source.gate = new CountDownLatch(1);
        source.breakdown = new AssertionError("broken");
        DocumentStore store = store(1000, "lru", 1, 100);
        List<CompletableFuture<Outcome>> answers =
                IntStream.range(0, 10).mapToObj(i -> ask(store, "/a")).toList();

        source.gate.countDown();

        await().dontCatchUncaughtExceptions()
                .untilAsserted(() -> assertThat(answers)
                        .allSatisfy(answer ->
                                assertThat(answer.getNow(new Outcome.Missing())).isInstanceOf(Outcome.Failed.class)));
        assertThat(store.stats().failures()).isEqualTo(10);
        assertThat(store.transitBytes()).isZero();
        source.breakdown = null;
        assertThat(text(store, "/a")).isEqualTo("hello");
    }

    @Test
    void keepsNothingThatIsReadAfterItsEnd() {
        source.put("/a", bytes("hello"));
        source.gate = new CountDownLatch(1);
        DocumentStore store = store(1000);
        CompletableFuture<Outcome> late = ask(store, "/a");
        store.close();

        source.gate.countDown();

        Document document = ((Outcome.Found) late.join()).document();
        assertThat(document.content().toString(StandardCharsets.UTF_8)).isEqualTo("hello");
        assertThat(store.residents()).isZero();
        document.release();
        assertThat(store.residentBytes() + store.transitBytes()).isZero();
    }

    @Test
    void seesThatADocumentIsNotThereInACodingWhileAllReadersAreBusy() {
        source.put("/a.css", bytes("a"));
        source.gate = new CountDownLatch(1);
        DocumentStore store = store(1000, "lru", 1, 0);
        CompletableFuture<Outcome> read = ask(store, "/a.css");

        CompletableFuture<Outcome> probe = new CompletableFuture<>();
        store.request(new DocumentPath("/a.css", Coding.BROTLI), probe::complete);

        assertThat(probe.join()).isInstanceOf(Outcome.Missing.class);
        assertThat(read).isNotDone();
        source.gate.countDown();
        ((Outcome.Found) read.join()).document().release();
    }

    @Test
    void doesNotRememberThatADocumentWasMissing() {
        DocumentStore store = store(1000);
        assertThat(ask(store, "/a").join()).isInstanceOf(Outcome.Missing.class);

        source.put("/a", bytes("now"));

        assertThat(text(store, "/a")).isEqualTo("now");
    }

    @Test
    void refusesWhenTheQueueOfReadsIsFull() {
        source.put("/a", bytes("a"));
        source.put("/b", bytes("b"));
        source.put("/c", bytes("c"));
        source.gate = new CountDownLatch(1);
        DocumentStore store = store(1000, "lru", 1, 1);
        CompletableFuture<Outcome> read = ask(store, "/a");
        CompletableFuture<Outcome> queued = ask(store, "/b");

        assertThat(ask(store, "/c").join()).isInstanceOf(Outcome.Busy.class);

        assertThat(store.queuedReads()).isEqualTo(1);
        source.gate.countDown();
        ((Outcome.Found) read.join()).document().release();
        ((Outcome.Found) queued.join()).document().release();
        assertThat(text(store, "/c")).isEqualTo("c");
    }

    @Test
    void evictionLeavesAResponseUnderWayItsBytes() {
        source.put("/a", new byte[600]);
        source.put("/b", new byte[600]);
        DocumentStore store = store(1000);
        Document underWay = found(store, "/a");

        text(store, "/b");

        assertThat(store.stats().evictions()).isEqualTo(1);
        assertThat(underWay.content().isReadable(600)).isTrue();
        assertThat(store.residentBytes()).isEqualTo(600);
        assertThat(store.transitBytes()).isEqualTo(600);
        underWay.release();
        assertThat(store.transitBytes()).isZero();
    }

    @Test
    void servesWithoutALookUntilTheCheckIntervalHasPassed() {
        source.put("/a", bytes("old"));
        DocumentStore store = store(1000);
        text(store, "/a");
        source.put("/a", bytes("new!"));

        nanos.addAndGet(Duration.ofMillis(999).toNanos());
        assertThat(text(store, "/a")).isEqualTo("old");
        assertThat(source.looks).hasValue(0);

        nanos.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(text(store, "/a")).isEqualTo("new!");
        assertThat(store.residentBytes()).isEqualTo(4);
    }

    @Test
    void oneLookConfirmsAnUnchangedDocumentForAllThatWait() {
        source.put("/a", bytes("same"));
        DocumentStore store = store(1000);
        text(store, "/a");
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());

        assertThat(text(store, "/a")).isEqualTo("same");
        assertThat(text(store, "/a")).isEqualTo("same");

        assertThat(source.looks).hasValue(1);
        assertThat(source.reads).hasValue(1);
    }

    @Test
    void dropsADocumentWhoseFileIsGone() {
        source.put("/a", bytes("a"));
        DocumentStore store = store(1000);
        text(store, "/a");
        source.remove("/a");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());

        assertThat(ask(store, "/a").join()).isInstanceOf(Outcome.Missing.class);
        assertThat(store.residents()).isZero();
    }

    @Test
    void givesTheSameEntityTagForTheSameBytesOnly() {
        source.put("/a", bytes("same"));
        source.put("/b", bytes("same"));
        source.put("/c", bytes("else"));
        DocumentStore one = store(1000);
        DocumentStore other = store(500);

        assertThat(tag(one, "/a")).isEqualTo(tag(other, "/b")).isNotEqualTo(tag(one, "/c"));
        assertThat(tag(one, "/a")).matches("\"[0-9a-f]{32}\"");
    }

    @Test
    void identifiesALargeDocumentAsACachedOneOfTheSameBytes() {
        byte[] content = new byte[300_000];
        new Random(1).nextBytes(content);
        source.put("/large", content);
        DocumentStore small = store(1000);
        DocumentStore roomy = store(1 << 20);

        Outcome.Large large = (Outcome.Large) ask(small, "/large").join();

        assertThat(large.document().identity().etag()).isEqualTo(tag(roomy, "/large"));
        assertThat(small.residentBytes()).isZero();
        int reads = source.reads.get();
        ask(small, "/large").join();
        assertThat(source.reads).as("hashed once per version").hasValue(reads);
    }

    @Test
    void streamsALargeDocumentInBoundedChunks() throws Exception {
        byte[] content = new byte[200_000];
        new Random(2).nextBytes(content);
        source.put("/large", content);
        DocumentStore store = store(1000);
        Outcome.Large large = (Outcome.Large) ask(store, "/large").join();

        try (DocumentStream stream = store.stream(large.document()).orElseThrow()) {
            ByteBuf chunk = stream.read(1000, 5000);
            assertThat(ByteBufUtil.getBytes(chunk)).isEqualTo(Arrays.copyOfRange(content, 1000, 6000));
            assertThat(store.transitBytes()).isEqualTo(5000);
            chunk.release();
            stream.released(5000);
        }
    }

    @Test
    void countsAReadOfALargeDocumentOnlyIfItIsStreamed() throws Exception {
        source.put("/large", new byte[200_000]);
        DocumentStore store = store(1000);
        Outcome.Large large = (Outcome.Large) ask(store, "/large").join();
        assertThat(store.stats().requests()).isEqualTo(1);
        assertThat(store.stats().reads()).isZero();

        store.stream(large.document()).orElseThrow().close();

        assertThat(store.stats().reads()).isEqualTo(1);
        assertThat(store.stats().readBytes()).isEqualTo(200_000);
    }

    @Test
    void streamsAsManyAtOnceAsTheCapacityOfTheMomentAllows() throws Exception {
        source.put("/large", new byte[200_000]);
        DocumentStore store = store(1000);
        LargeDocument large = ((Outcome.Large) ask(store, "/large").join()).document();
        List<DocumentStream> streams = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            streams.add(store.stream(large).orElseThrow());
        }
        assertThat(store.stream(large)).isEmpty();

        assertThat(store.control().resize(100 << 20)).isTrue();

        streams.add(store.stream(large).orElseThrow());
        for (DocumentStream stream : streams) {
            stream.close();
        }
    }

    private static String tag(DocumentStore store, String path) {
        Document document = found(store, path);
        document.release();
        return document.identity().etag();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void keepsBothMemoryBoundsAtEveryMomentOfARandomLoad(long seed) throws Exception {
        long capacity = 20 << 20;
        Random sizes = new Random(seed);
        for (int i = 0; i < 60; i++) {
            source.put("/" + i, new byte[sizes.nextInt(3 << 20)]);
        }
        DocumentStore store = store(capacity, seed % 2 == 0 ? "lru" : "window-aware", 8, 1000);
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong broken = new AtomicLong();
        Thread watcher = Thread.ofPlatform().start(() -> {
            while (!done.get()) {
                MemoryLedger.Balance books = store.memory();
                MemoryBounds bounds = books.bounds();
                boolean kept = books.resident() <= bounds.residentBytes() && books.transit() <= bounds.transitBytes();
                broken.addAndGet(kept ? 0 : 1);
            }
        });

        List<Thread> clients = IntStream.range(0, 6)
                .mapToObj(i -> Thread.ofPlatform().start(() -> load(store, new Random(seed * 100 + i))))
                .toList();
        operate(store.control(), new Random(seed), capacity);
        for (Thread client : clients) {
            client.join();
        }
        store.control().resize(capacity);
        load(store, new Random(seed));

        done.set(true);
        watcher.join();
        assertThat(broken).hasValue(0);
        assertThat(store.stats().evictions()).isPositive();
        assertThat(store.stats().requests()).isPositive();
    }

    /** Does what operators do while a load runs. */
    private static void operate(ResidentControl<DocumentPath> control, Random random, long capacity)
            throws InterruptedException {
        for (int i = 0; i < 30; i++) {
            switch (random.nextInt(3)) {
                case 0 -> control.resize(random.nextLong(capacity));
                case 1 -> control.purge(path -> random.nextInt(10) == 0);
                default -> control.changePolicy(i % 2 == 0 ? "lru" : "window-aware");
            }
        }
    }

    /** Asks, holds some documents as slow responses do, and lets go in random order. */
    private void load(DocumentStore store, Random random) {
        BlockingQueue<Outcome> answers = new LinkedBlockingQueue<>();
        List<Document> held = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            if (random.nextInt(50) == 0) {
                nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                int changed = random.nextInt(60);
                source.put("/" + changed, new byte[random.nextInt(3 << 20)]);
            }
            store.request(new DocumentPath("/" + random.nextInt(60)), answers::add);
            if (take(answers) instanceof Outcome.Found found) {
                held.add(found.document());
            }
            while (held.size() > 4) {
                held.remove(random.nextInt(held.size())).release();
            }
        }
        held.forEach(Document::release);
    }

    private static Outcome take(BlockingQueue<Outcome> answers) {
        try {
            return answers.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
