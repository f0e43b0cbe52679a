// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Clients that ask, wait for the answer, and ask again, as those of the paper did; each on a virtual thread with its own
 * connection. The number of clients bounds what the server has to bear. Right answers are those of status 2xx whose body
 * came whole; a client whose request failed pauses, so that a refusing server is not hammered.
 */
final class Load implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);
    private static final int DISCARD = 64 << 10;

    /** What one step brought; the shares are of all requests. */
    record Result(double goodput, long p99Micros, double failedShare, double unreachableShare) {}

    private final HttpClient client = HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    /** Loads the server for a while and tells what came of it. */
    Result run(URI uri, int clients, Duration duration) {
        Tally tally = new Tally();
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).GET().build();
        long began = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < clients; i++) {
                threads.execute(() -> ask(request, began + duration.toNanos(), tally));
            }
        }
        return tally.result((System.nanoTime() - began) / 1e9);
    }

    private void ask(HttpRequest request, long endNanos, Tally tally) {
        try {
            while (System.nanoTime() - endNanos < 0) {
                long began = System.nanoTime();
                if (answered(request, tally)) {
                    tally.answered(System.nanoTime() - began);
                } else {
                    tally.failed.increment();
                    Thread.sleep(PAUSE_AFTER_FAILURE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean answered(HttpRequest request, Tally tally) throws InterruptedException {
        try {
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                byte[] part = new byte[DISCARD];
                while (body.read(part) >= 0) {
                    // The bytes do not matter, only that they come.
                }
            }
            return response.statusCode() / 100 == 2;
        } catch (ConnectException e) {
            tally.unreachable.increment();
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        client.close();
    }

    /** Counts of one step. */
    private static final class Tally {
        private static final int DIGITS = 3;
        private static final double P99 = 99;
        private static final long NANOS_PER_MICRO = 1000;

        private final ConcurrentHistogram micros = new ConcurrentHistogram(DIGITS);
        private final LongAdder failed = new LongAdder();
        private final LongAdder unreachable = new LongAdder();

        void answered(long nanos) {
            micros.recordValue(nanos / NANOS_PER_MICRO);
        }

        Result result(double seconds) {
            long right = micros.getTotalCount();
            long all = right + failed.sum();
            return new Result(
                    right / seconds,
                    right == 0 ? 0 : micros.getValueAtPercentile(P99),
                    share(failed, all),
                    share(unreachable, all));
        }

        private static double share(LongAdder part, long all) {
            return all == 0 ? 0 : (double) part.sum() / all;
        }
    }
}
