// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import io.albm.bench.compare.Payload;
import io.albm.bench.compare.Scenario;
import java.util.List;

/** A load on servers of one document. */
record ServeScenario(Payload payload, int concurrency, boolean connectionPerRequest) implements Scenario {
    private static final int SOME = 64;
    private static final int MANY = 400;

    /** Connections that are kept, some and many. */
    static List<ServeScenario> kept(Payload payload) {
        return List.of(new ServeScenario(payload, SOME, false), new ServeScenario(payload, MANY, false));
    }

    /** A connection for each request. */
    static List<ServeScenario> close(Payload payload) {
        return List.of(new ServeScenario(payload, SOME, true));
    }

    /** {@code 10k/64} or {@code close/64}. */
    @Override
    public String target() {
        return (connectionPerRequest ? "close" : payload.path().substring(1)) + "/" + concurrency;
    }

    @Override
    public String scheme() {
        return "http";
    }
}
