// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the supervisor has reported on the checkpoint in hand, put together from its answers. Not thread-safe. */
final class Gathered {
    private final Map<Integer, Long> begun = new HashMap<>();
    private final Map<Integer, LocalCopy> saved = new HashMap<>();
    private final SortedMap<Integer, StoredUnit> stored = new TreeMap<>();
    private Heard heard = Heard.NONE;
    private long storedBytes;

    /**
     * Takes an answer. One that comes twice changes nothing; of one that comes after a gap nothing is taken, and the supervisor
     * says it again, since {@link #heard} has not moved.
     *
     * @return what was stored and not known to be so
     */
    List<StoredUnit> take(Answer.Progress progress) {
        if (progress.heard().log() != heard.log()) {
            forget();
        }
        if (progress.from() > heard.reports()) {
            return List.of();
        }
        begun.putAll(progress.begun());
        saved.putAll(progress.saved());
        List<StoredUnit> fresh = progress.stored().values().stream()
                .filter(unit -> stored.put(unit.rank(), unit) == null)
                .toList();
        storedBytes += fresh.stream().mapToLong(StoredUnit::size).sum();
        if (progress.heard().reports() >= heard.reports()) {
            heard = progress.heard();
        }
        return fresh;
    }

    /** Another supervisor's reports say nothing about those of this one. */
    private void forget() {
        begun.clear();
        saved.clear();
        stored.clear();
        storedBytes = 0;
        heard = Heard.NONE;
    }

    Heard heard() {
        return heard;
    }

    /** Ranks that have said which step they have begun. */
    int begun() {
        return begun.size();
    }

    /** The highest of the steps that ranks have begun; there is one. */
    long lastBegun() {
        return begun.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    /** By rank. */
    Map<Integer, LocalCopy> saved() {
        return saved;
    }

    /** In rank order. */
    Collection<StoredUnit> stored() {
        return stored.values();
    }

    /** Bytes of the states that are stored. */
    long storedBytes() {
        return storedBytes;
    }
}
