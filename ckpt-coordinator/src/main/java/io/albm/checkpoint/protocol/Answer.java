// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.albm.checkpoint.strategy.TcpSegments;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a supervisor says to every command. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Answer.Fenced.class, name = "fenced"),
    @JsonSubTypes.Type(value = Answer.Status.class, name = "status")
})
public sealed interface Answer {
    /** The command is of a deposed coordinator; nothing was done. */
    record Fenced(long highestEpoch) implements Answer {}

    /**
     * How far the job's ranks are.
     *
     * @param checkpoint the one in hand; 0 for none
     * @param ready all ranks run, use the participant library, and none has ended
     * @param progress what the coordinator has not heard yet of the checkpoint in hand
     * @param failure why this checkpoint cannot complete; null if it still can
     * @param segments that the host has sent over TCP; none if it does not say
     * @param drainProgress bytes that the hosts have come with the states of the checkpoint in hand; 0 if none says
     */
    record Status(
            long checkpoint,
            boolean ready,
            Progress progress,
            @Nullable String failure,
            TcpSegments segments,
            long drainProgress)
            implements Answer {
        public Status {
            // A supervisor of before says nothing of them.
            segments = segments == null ? TcpSegments.NONE : segments;
            progress = progress == null ? Progress.NONE : progress;
        }

        /** The same, and what its hosts say. */
        public Status with(TcpSegments sent, long drained) {
            return new Status(checkpoint, ready, progress, failure, sent, drained);
        }
    }

    /**
     * Reports of a supervisor, one after the other.
     *
     * @param from how many there were before these
     * @param heard what a coordinator has heard that knew those before and now these
     * @param more there are more
     * @param begun the step that a rank has begun; it goes no further than the next safe point
     * @param saved ranks whose state is on their own node's disk
     * @param stored ranks whose state is durable in the striped store
     */
    record Progress(
            int from,
            Heard heard,
            boolean more,
            Map<Integer, Long> begun,
            Map<Integer, LocalCopy> saved,
            Map<Integer, StoredUnit> stored) {
        /** There is nothing to report. */
        public static final Progress NONE = new Progress(0, Heard.NONE, false, Map.of(), Map.of(), Map.of());

        public Progress {
            begun = Map.copyOf(begun);
            saved = Map.copyOf(saved);
            stored = Map.copyOf(stored);
        }
    }
}
