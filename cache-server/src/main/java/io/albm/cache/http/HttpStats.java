// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import java.util.concurrent.atomic.LongAdder;

/** What the HTTP front counts. */
public final class HttpStats {

    final LongAdder responses = new LongAdder();
    final LongAdder clientErrors = new LongAdder();
    final LongAdder serverErrors = new LongAdder();
    final LongAdder bodyBytes = new LongAdder();
    final LongAdder cutResponses = new LongAdder();

    void count(int status, long bytes) {
        responses.increment();
        bodyBytes.add(bytes);
        if (status >= 500) {
            serverErrors.increment();
        } else if (status >= 400) {
            clientErrors.increment();
        }
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
