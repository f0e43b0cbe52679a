// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * What the coordinator wants of a job's supervisor now. Commands say a state, not a step: they are sent again and again
 * until the answer shows it, so a lost, late or doubled one does no harm. The epoch fences: a supervisor that has seen a
 * higher one refuses.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Command.Observe.class, name = "observe"),
    @JsonSubTypes.Type(value = Command.Prepare.class, name = "prepare"),
    @JsonSubTypes.Type(value = Command.Save.class, name = "save"),
    @JsonSubTypes.Type(value = Command.Drain.class, name = "drain")
})
public sealed interface Command {
    /** Of the leading coordinator. */
    long epoch();

    /** What the coordinator has heard already of the checkpoint: the answer has what comes after. */
    Heard heard();

    /**
     * No checkpoint is in flight: what the supervisor still holds of one is committed if its number is at most
     * {@code latest}, else aborted.
     */
    record Observe(long epoch, long latest) implements Command {
        @Override
        public Heard heard() {
            return Heard.NONE;
        }
    }

    /** Every rank says which step it has begun, and waits at its next safe point. */
    record Prepare(long epoch, long checkpoint, Heard heard) implements Command {
        public Prepare {
            heard = Heard.orNone(heard);
        }
    }

    /**
     * Every rank goes on to this step, saves its state on its own node, and then runs on.
     *
     * @param last instead of running on, ranks wait, and end when this checkpoint is complete
     */
    record Save(long epoch, long checkpoint, long step, boolean last, Heard heard) implements Command {
        public Save {
            heard = Heard.orNone(heard);
        }
    }

    /**
     * The local copies of these ranks, and of those that a command was answered for before, go to stable storage; an empty
     * list keeps the checkpoint alive while it commits.
     *
     * @param base see {@link Inflight}
     */
    record Drain(long epoch, long checkpoint, long base, List<Integer> writers, Heard heard) implements Command {
        public Drain {
            heard = Heard.orNone(heard);
        }
    }
}
