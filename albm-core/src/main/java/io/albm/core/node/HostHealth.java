// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;

/** Whether a host should get new requests, and why not. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "state")
@JsonSubTypes({
    @JsonSubTypes.Type(value = HostHealth.Serving.class, name = "serving"),
    @JsonSubTypes.Type(value = HostHealth.Relieved.class, name = "relieved"),
    @JsonSubTypes.Type(value = HostHealth.Draining.class, name = "draining")
})
public sealed interface HostHealth {
    /** Takes new requests. */
    record Serving() implements HostHealth {}

    /**
     * Short of something: gets no new request until it has recovered.
     *
     * @param since when it was relieved
     * @param counter which counter crossed its threshold
     * @param value that counter's value at that time
     */
    record Relieved(Instant since, String counter, double value) implements HostHealth {}

    /** Taken out by an operator: finishes what it has and gets nothing new. */
    record Draining() implements HostHealth {}
}
