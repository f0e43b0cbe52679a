// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A sequence of requests, in memory.
 *
 * @param name in the results
 * @param requests in order; all for one document are the same object
 */
record Trace(String name, List<Request> requests) {

    /**
     * Asks for a document.
     *
     * @param document its number, boxed once for the maps of all simulations
     * @param bytes its size: the largest in the trace
     */
    record Request(Integer document, long bytes) {}

    /** Collects requests by the names of their documents. */
    static final class Builder {
        private final Map<String, Integer> documents = new HashMap<>();
        private final List<Long> largest = new ArrayList<>();
        private final List<Integer> order = new ArrayList<>();

        void add(String id, long bytes) {
            Integer document = documents.computeIfAbsent(id, absent -> documents.size());
            if (document == largest.size()) {
                largest.add(bytes);
            } else {
                largest.set(document, Math.max(largest.get(document), bytes));
            }
            order.add(document);
        }

        Trace build(String name) {
            List<Request> byDocument = new ArrayList<>(largest.size());
            for (int document = 0; document < largest.size(); document++) {
                byDocument.add(new Request(document, largest.get(document)));
            }
            return new Trace(name, order.stream().map(byDocument::get).toList());
        }
    }

    Trace {
        requests = List.copyOf(requests);
    }

    Trace renamed(String other) {
        return new Trace(other, requests);
    }

    /** How many different documents are asked for. */
    int documents() {
        return Math.toIntExact(requests.stream().distinct().count());
    }

    /** Bytes of all different documents together. */
    long uniqueBytes() {
        return requests.stream().distinct().mapToLong(Request::bytes).sum();
    }
}
