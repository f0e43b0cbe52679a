// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Marks;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/** The complete checkpoint that somebody means. */
record CheckpointChoice(JobAccess access, JobStore store) {
    /** The one of this number, whatever restarts think of it. */
    Committed numbered(long number) {
        return access.await(store.committed(number)).orElseThrow(() -> none("no complete checkpoint " + number));
    }

    /** The newest of those that a restart would go on from. */
    Committed newest() {
        return usable().stream()
                .max(Comparator.comparingLong(Committed::number))
                .orElseThrow(() -> none("none"));
    }

    /** The newest of those, whose ranks had all saved at this time. */
    Committed before(String time) {
        Instant last = time(time);
        List<Committed> usable = usable();
        return usable.stream()
                .filter(entry -> !entry.times().savedAt().isAfter(last))
                .max(Comparator.comparingLong(Committed::number))
                .orElseThrow(() -> none("none of " + usable.size() + " at or before " + last));
    }

    private List<Committed> usable() {
        Marks marks = access.await(store.marks());
        SortedSet<Long> numbers = marks.usable(access.await(store.committedNumbers()));
        List<Committed> entries = new ArrayList<>();
        numbers.forEach(number -> access.await(store.committed(number)).ifPresent(entries::add));
        return entries;
    }

    private CliException none(String found) {
        String job = store.paths().job();
        return new CliException(
                ExitCode.FAILED,
                "job " + job + ": " + found + "; 'albm ckpt ls " + job + "' lists its complete checkpoints");
    }

    /** With a zone, or a local time of this machine. */
    static Instant time(String text) {
        try {
            TemporalAccessor parsed =
                    DateTimeFormatter.ISO_DATE_TIME.parseBest(text, Instant::from, LocalDateTime::from);
            return Optional.of(parsed)
                    .filter(LocalDateTime.class::isInstance)
                    .map(local -> ((LocalDateTime) local)
                            .atZone(ZoneId.systemDefault())
                            .toInstant())
                    .orElseGet(() -> Instant.from(parsed));
        } catch (DateTimeException e) {
            throw new CliException(
                    ExitCode.USAGE,
                    "'" + text + "' is no time; expected such as 2026-03-01T14:30, of this machine, or"
                            + " 2026-03-01T14:30:00Z",
                    e);
        }
    }
}
