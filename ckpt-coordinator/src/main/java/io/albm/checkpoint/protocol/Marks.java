// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What operators have said about the complete checkpoints of a job. One record, so that its version tells whoever
 * retires checkpoints that nothing was said meanwhile.
 *
 * @param pinned kept until they are unpinned, at most {@value #MOST_PINS}
 * @param abandoned those that the job went back behind, by an operator's choice
 */
public record Marks(SortedSet<Long> pinned, List<Abandoned> abandoned) {
    static final Marks NONE = new Marks(new TreeSet<>(), List.of());
    private static final int MOST_PINS = 1000;

    /** Numbers between these two: of a past that the job left when it went back to {@code after}. */
    public record Abandoned(long after, long before) {
        private boolean has(long number) {
            return after < number && number < before;
        }
    }

    public Marks {
        if (pinned.size() > MOST_PINS) {
            throw new IllegalArgumentException(
                    pinned.size() + " pinned checkpoints; at most " + MOST_PINS + ", unpin some: albm ckpt unpin");
        }
        pinned = Collections.unmodifiableSortedSet(new TreeSet<>(pinned));
        abandoned = List.copyOf(abandoned);
    }

    /** No restart goes on from it, unless somebody chooses it by its number. */
    public boolean hasAbandoned(long number) {
        return abandoned.stream().anyMatch(past -> past.has(number));
    }

    /** Those of these complete checkpoints that a restart would go on from. */
    public SortedSet<Long> usable(SortedSet<Long> committed) {
        SortedSet<Long> usable = new TreeSet<>(committed);
        usable.removeIf(this::hasAbandoned);
        return usable;
    }

    Marks pin(long number) {
        SortedSet<Long> more = new TreeSet<>(pinned);
        more.add(number);
        return new Marks(more, abandoned);
    }

    Marks unpin(long number) {
        SortedSet<Long> fewer = new TreeSet<>(pinned);
        fewer.remove(number);
        return new Marks(fewer, abandoned);
    }

    /**
     * The job goes on from this checkpoint; all that are newer now are abandoned.
     *
     * @param next the number that the next checkpoint gets
     */
    Marks goBackTo(long number, long next) {
        Stream<Abandoned> older = abandoned.stream().filter(past -> past.before() <= number);
        return new Marks(
                pinned,
                Stream.concat(older, Stream.of(new Abandoned(number, next))).toList());
    }
}
