// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.node.Counter;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The last value of one counter, and whether it is still true. Stepped by one thread, read by any. */
final class Reading {
    private static final Logger LOG = LoggerFactory.getLogger(Reading.class);

    private final Counter counter;
    private final CounterSource source;
    private volatile double value;
    private volatile boolean failing;

    Reading(Counter counter, CounterSource source) {
        this.counter = counter;
        this.source = source;
    }

    /** Samples; a counter that cannot be read keeps its value, and the log tells once. */
    void step(long nowNanos) {
        try {
            value = source.sample(nowNanos);
            if (failing) {
                failing = false;
                LOG.info("{} can be read again: {}", counter.metric(), value);
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    private void failed(IOException e) {
        if (!failing) {
            failing = true;
            LOG.warn("{} cannot be read, {} stands: {}", counter.metric(), value, e.getMessage());
        }
    }

    double value() {
        return value;
    }

    boolean failing() {
        return failing;
    }
}
