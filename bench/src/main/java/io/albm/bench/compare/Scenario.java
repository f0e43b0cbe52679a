// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

/** One kind of load. */
public interface Scenario {
    /** As in the report. */
    String target();

    /** Of the URL: {@code http} or {@code https}. */
    String scheme();

    /** What is asked for, again and again. */
    Payload payload();

    /** How many connections are open at a time. */
    int concurrency();

    /** Whether a connection ends with its first answer. */
    boolean connectionPerRequest();
}
