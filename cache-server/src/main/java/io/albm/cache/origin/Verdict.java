// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import org.jspecify.annotations.Nullable;

/** What is to be done for a request. Whoever gets a response in it holds a reference. */
sealed interface Verdict {

    /**
     * A stored response answers it.
     *
     * @param validation a request to the origin to begin for the next one's sake; null if there is none to begin
     */
    record Serve(CachedResponse response, @Nullable Flight validation) implements Verdict {}

    /**
     * The origin has to be asked, for this request and those that will follow it.
     *
     * @param stored what it is to be asked about; null if there is nothing
     */
    record Fetch(Flight flight, @Nullable CachedResponse stored) implements Verdict {}

    /**
     * Another request's response is waited for.
     *
     * @param waiting to be taken out of the flight if its client leaves
     */
    record Join(Flight flight, Flight.Waiting waiting) implements Verdict {}

    /** The origin has to be asked for this request alone. */
    record Pass() implements Verdict {}

    /** Nothing is stored, and the client wants nothing else. */
    record NotCached() implements Verdict {}
}
