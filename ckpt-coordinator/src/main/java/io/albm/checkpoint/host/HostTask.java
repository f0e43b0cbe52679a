// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.albm.checkpoint.job.DrainOrder;
import io.albm.checkpoint.job.PartnerOrder;
import io.albm.checkpoint.job.RestoreOrder;

/** Something that a host does once, with an answer. A number is not used again within a run. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = HostTask.Restore.class, name = "restore"),
    @JsonSubTypes.Type(value = HostTask.Drain.class, name = "drain"),
    @JsonSubTypes.Type(value = HostTask.Hold.class, name = "hold"),
    @JsonSubTypes.Type(value = HostTask.Discard.class, name = "discard"),
    @JsonSubTypes.Type(value = HostTask.DiscardBefore.class, name = "discard-before")
})
sealed interface HostTask {
    long number();

    /** Puts a rank's state together where the rank will read it. */
    record Restore(long number, RestoreOrder order) implements HostTask {}

    /** Brings a local copy to the striped store. */
    record Drain(long number, DrainOrder order) implements HostTask {}

    /** Copies states of other hosts' ranks. */
    record Hold(long number, PartnerOrder order) implements HostTask {}

    /** Removes the local copies of a checkpoint. */
    record Discard(long number, long checkpoint) implements HostTask {}

    /** Removes the local copies of older checkpoints. */
    record DiscardBefore(long number, long checkpoint) implements HostTask {}
}
