// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import io.albm.bench.compare.Payload;
import io.albm.bench.compare.Scenario;
import java.util.List;

/**
 * A load on servers of one document.
 *
 * @param held whether each server is held to {@link Quotas#PROCESSORS}
 */
record ServeScenario(Payload payload, int concurrency, boolean connectionPerRequest, boolean held) implements Scenario {
    private static final int SOME = 64;
    private static final int MANY = 400;

    /** Connections that are kept, some and many. */
    static List<ServeScenario> kept(Payload payload) {
        return List.of(new ServeScenario(payload, SOME, false, false), new ServeScenario(payload, MANY, false, false));
    }

    /** The same on servers that have half a processor each. */
    static List<ServeScenario> held(Payload payload) {
        return List.of(new ServeScenario(payload, SOME, false, true), new ServeScenario(payload, MANY, false, true));
    }

    /** A connection for each request. */
    static List<ServeScenario> close(Payload payload) {
        return List.of(new ServeScenario(payload, SOME, true, false));
    }

    /** {@code 10k/64}, {@code close/64} or {@code 10k/64/held}. */
    @Override
    public String target() {
        return (connectionPerRequest ? "close" : payload.path().substring(1))
                + "/"
                + concurrency
                + (held ? "/held" : "");
    }

    @Override
    public String scheme() {
        return "http";
    }
}
