// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Which leases are over for good although their clients have not said to have sent what they changed under them: others have gone
 * on without that. A leader knows it of the leases that it gave itself; the next one takes late changes, and needs to be told.
 *
 * <p>A client that is given a lease again says so with what it changes then, so nothing has to be taken back. Bounded: of a
 * client that has lost too many leases, all up to the last one of them count as lost. Part of {@link TableState}. Not thread-safe.
 */
final class Overrulings {
    /** Directories that are remembered of a client. */
    static final int MOST_PER_CLIENT = 200;

    /** Stands for all directories of a client. */
    static final long EVERYWHERE = 0;

    private final Map<String, Map<Long, Grant>> byClient = new TreeMap<>();
    /** The leases of leaders before that epoch are over. */
    private long past;

    /** @param last the last lease that the client had been given when it lost those on the directories */
    void add(String client, Set<Long> directories, Grant last) {
        Map<Long, Grant> lost = byClient.computeIfAbsent(client, name -> new TreeMap<>());
        directories.forEach(directory -> lost.merge(directory, last, Grant::later));
        if (lost.size() > MOST_PER_CLIENT) {
            Grant all = Collections.max(lost.values());
            lost.clear();
            lost.put(EVERYWHERE, all);
        }
    }

    /** Directories, or {@link #EVERYWHERE} instead of too many. */
    static Set<Long> bounded(Set<Long> directories) {
        return directories.size() > MOST_PER_CLIENT ? Set.of(EVERYWHERE) : directories;
    }

    /** All leases of leaders before an epoch are over. */
    void pass(long epoch) {
        past = Math.max(past, epoch);
        byClient.values().forEach(lost -> lost.values().removeIf(last -> last.epoch() < past));
        byClient.values().removeIf(Map::isEmpty);
    }

    /**
     * Whether others have gone on without what a client may have changed in one of these directories.
     *
     * @param grant the last lease that it had been given then
     */
    boolean has(String client, Set<Long> directories, Grant grant) {
        Map<Long, Grant> lost = byClient.getOrDefault(client, Map.of());
        return grant.epoch() < past
                || LongStream.concat(
                                LongStream.of(EVERYWHERE), directories.stream().mapToLong(Long::longValue))
                        .anyMatch(
                                directory -> lost.containsKey(directory) && grant.compareTo(lost.get(directory)) <= 0);
    }

    /** A client's session is over: nothing of it is taken any more. */
    void end(String client) {
        byClient.remove(client);
    }

    void save(Consumer<SavedLine> lines) {
        if (past > 0) {
            lines.accept(new SavedLine.Past(past));
        }
        byClient.forEach((client, lost) ->
                lost.forEach((directory, last) -> lines.accept(new SavedLine.Overruled(client, directory, last))));
    }

    void load(SavedLine.Overruled saved) {
        add(saved.client(), Set.of(saved.directory()), saved.last());
    }
}
