// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import java.util.SplittableRandom;

/** Small traces for tests. */
final class Traces {
    private Traces() {}

    /** Documents of one byte each. */
    static Trace of(int... documents) {
        return sized(1, documents);
    }

    static Trace sized(long bytes, int... documents) {
        Trace.Builder trace = new Trace.Builder();
        for (int document : documents) {
            trace.add(Integer.toString(document), bytes);
        }
        return trace.build("test");
    }

    /**
     * Requests drawn evenly from a few documents.
     *
     * @param largest bytes of a document are drawn up to this; a document keeps its size
     */
    static Trace random(long seed, int documents, int requests, int largest) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] sizes = random.ints(documents, 1, largest + 1).toArray();
        Trace.Builder trace = new Trace.Builder();
        for (int i = 0; i < requests; i++) {
            int document = random.nextInt(documents);
            trace.add(Integer.toString(document), sizes[document]);
        }
        return trace.build("random-" + seed);
    }
}
