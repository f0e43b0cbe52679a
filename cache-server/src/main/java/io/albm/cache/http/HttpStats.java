// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.cache.store.StoreStats;
import java.util.concurrent.atomic.LongAdder;

/** What the HTTP front counts. */
public final class HttpStats {

    final LongAdder responses;
    final LongAdder clientErrors;
    final LongAdder serverErrors;
    final LongAdder bodyBytes;
    final LongAdder cutResponses;

    public HttpStats(StoreStats.Counters counters) {
        responses = counters.counter("http_responses_total", "Responses begun, of every status.");
        clientErrors = counters.counter("http_client_errors_total", "Responses of status 400 to 499.");
        serverErrors = counters.counter("http_server_errors_total", "Responses of status 500 and above.");
        bodyBytes = counters.counter("http_body_bytes_total", "Bytes of response bodies begun.");
        cutResponses = counters.counter("http_cut_responses_total", "Streamed responses that were cut.");
    }

    void count(int status) {
        responses.increment();
        if (status >= 500) {
            serverErrors.increment();
        } else if (status >= 400) {
            clientErrors.increment();
        }
    }

    void addBody(long bytes) {
        bodyBytes.add(bytes);
    }

    void cut() {
        cutResponses.increment();
    }

    /** Responses begun, of every status. */
    public long responses() {
        return responses.sum();
    }

    /** Responses of status 400 to 499. */
    public long clientErrors() {
        return clientErrors.sum();
    }

    /** Responses of status 500 and above. */
    public long serverErrors() {
        return serverErrors.sum();
    }

    /** Bytes of response bodies begun. */
    public long bodyBytes() {
        return bodyBytes.sum();
    }

    /** Streamed responses that were cut because the document changed, could not be read or was not taken. */
    public long cutResponses() {
        return cutResponses.sum();
    }
}
