// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a backend is told of the requests that wait for it, by real requests that do. */
@Timeout(30)
class AnnounceWaitingTest {
    private final Semaphore answers = new Semaphore(0);
    private final AtomicBoolean loses = new AtomicBoolean();
    private final RawBackend backend = new RawBackend(call -> {
        answers.acquireUninterruptibly();
        if (call.header("Albm-Waiting").isPresent() && loses.getAndSet(false)) {
            call.reset();
        } else {
            RawBackend.text("ok").answer(call);
        }
    });
    private final ProxyHarness harness = new ProxyHarness(new TestSettings().maxConnections(1), backend);
    private final List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();

    AnnounceWaitingTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        answers.release(1_000);
        harness.close();
        backend.close();
    }

    /** Sends a request to a backend that is at its limit, which waits when this returns. */
    private void waitFor(String target) {
        send(target);
        await().until(() -> harness.pool.waiting() == sent.size() - 1);
    }

    private void send(String target) {
        HttpRequest request = HttpRequest.newBuilder(harness.uri(target))
                .header("Albm-Waiting", "\"/taught\"")
                .build();
        sent.add(harness.http.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
    }

    private void answerAll() throws Exception {
        answers.release(sent.size());
        for (var one : sent) {
            assertThat(one.get().statusCode()).isEqualTo(200);
        }
    }

    private List<String> told() {
        return backend.heads().stream()
                .map(head -> head.lines()
                        .filter(line -> line.startsWith("Albm-Waiting:"))
                        .findFirst()
                        .orElse(""))
                .toList();
    }

    @Test
    void aRequestThatIsSentTakesAlongWhatWaitsBehindIt() throws Exception {
        harness.pool.announceWaiting(true);
        send("/first");
        await().until(() -> backend.heads().size() == 1);
        waitFor("/a");
        waitFor("/b");
        waitFor("/c?d");

        answerAll();

        assertThat(told()).containsExactly("", "Albm-Waiting: \"/b\", \"/c?d\"", "", "");
    }

    @Test
    void aBackendThatLostARequestIsToldAgainWhoWaitsStill() throws Exception {
        harness.pool.announceWaiting(true);
        send("/first");
        await().until(() -> backend.heads().size() == 1);
        waitFor("/a");
        waitFor("/b");
        waitFor("/c");
        loses.set(true);
        answers.release(2);

        await().until(() -> backend.heads().size() == 3);

        assertThat(told().get(1)).isEqualTo("Albm-Waiting: \"/b\", \"/c\"");
        assertThat(told().get(2)).contains("\"/c\"");
    }

    @Test
    void backendsHearNothingUnlessToldTo() throws Exception {
        send("/first");
        await().until(() -> backend.heads().size() == 1);
        waitFor("/a");
        waitFor("/b");

        answerAll();

        assertThat(backend.heads()).hasSize(3).noneMatch(head -> head.contains("Albm-Waiting"));
    }

    @Test
    void nothingIsSaidOfWhoHasGoneAway() throws Exception {
        harness.pool.announceWaiting(true);
        send("/first");
        await().until(() -> backend.heads().size() == 1);
        waitFor("/a");
        waitFor("/gone");
        waitFor("/b");
        sent.remove(2).cancel(true);
        await().until(() -> harness.pool.waiting() == 2);

        answerAll();

        assertThat(told()).containsExactly("", "Albm-Waiting: \"/b\"", "");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClientOfHttp2TeachesBackendsNothing(boolean announces) throws Exception {
        harness.pool.announceWaiting(announces);
        answers.release();
        Http2Peer peer = Http2Peer.on(harness.connect());
        peer.sendHead(1, true, Http2Peer.get("/a").add("albm-waiting", "\"/taught\""));

        await().until(() -> backend.heads().size() == 1);
        assertThat(backend.heads().getFirst()).doesNotContainIgnoringCase("albm-waiting");
    }
}
