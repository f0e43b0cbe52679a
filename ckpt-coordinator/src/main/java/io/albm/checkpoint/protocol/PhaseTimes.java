// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** How long one checkpoint was in each of its phases. Not thread-safe. */
final class PhaseTimes {
    private final Map<String, Long> nanos = new LinkedHashMap<>();
    private Optional<String> current = Optional.empty();
    private long since;

    /** The protocol is in this phase now. */
    void at(Phase phase, long now) {
        Optional<String> name = name(phase);
        if (name.equals(current)) {
            return;
        }
        if (phase instanceof Phase.Open) {
            nanos.clear();
        } else {
            current.ifPresent(ended -> nanos.merge(ended, now - since, Long::sum));
        }
        current = name;
        since = now;
    }

    /** Milliseconds by phase, in the order in which they were entered first; the one that it is in counts up to now. */
    Map<String, Long> millis(long now) {
        Map<String, Long> all = new LinkedHashMap<>(nanos);
        current.ifPresent(open -> all.merge(open, now - since, Long::sum));
        all.replaceAll((phase, taken) -> Duration.ofNanos(taken).toMillis());
        return all;
    }

    /** As in docs/checkpointing.md; none if no checkpoint is in hand. */
    private static Optional<String> name(Phase phase) {
        return switch (phase) {
            case Phase.Recover recover -> name(recover.before());
            case Phase.Open open -> Optional.of("OPEN");
            case Phase.Prepare prepare -> Optional.of("PREPARE");
            case Phase.Snapshot snapshot -> Optional.of("SNAPSHOT");
            case Phase.LocalDone done -> Optional.of("LOCAL_DONE");
            case Phase.Drain drain -> Optional.of("DRAIN");
            case Phase.Verify verify -> Optional.of("VERIFY");
            case Phase.Commit commit -> Optional.of("COMMIT");
            case Phase.Abort abort -> Optional.of("ABORT");
            case Phase.Idle idle -> Optional.empty();
            case Phase.Collect collect -> Optional.empty();
            case Phase.Deposed deposed -> Optional.empty();
            case Phase.Finished finished -> Optional.empty();
        };
    }
}
