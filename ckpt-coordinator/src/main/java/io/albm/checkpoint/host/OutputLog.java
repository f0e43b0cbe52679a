// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import io.albm.checkpoint.host.HostAnswer.OutputLine;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Lines of ranks' output until the supervisor has them: at most 10000 lines and a million characters, then the oldest are
 * dropped; who reads sees from the numbers how many. Thread-safe.
 */
final class OutputLog {
    private static final int MOST_LINES = 10_000;
    private static final int MOST_CHARACTERS = 1_000_000;
    private static final int LONGEST_LINE = 8_192;
    private static final int LINES_AT_ONCE = 1_000;

    private final Deque<OutputLine> lines = new ArrayDeque<>();
    private long first;
    private int characters;

    synchronized void add(int rank, String text) {
        String line = text.length() <= LONGEST_LINE ? text : text.substring(0, LONGEST_LINE) + "…";
        lines.addLast(new OutputLine(rank, line));
        characters += line.length();
        while (lines.size() > MOST_LINES || characters > MOST_CHARACTERS) {
            dropFirst();
        }
    }

    /** Lines before this one were taken. */
    synchronized void taken(long next) {
        while (first < next && !lines.isEmpty()) {
            dropFirst();
        }
    }

    /** Nobody wants what there is. */
    synchronized void clear() {
        taken(first + lines.size());
    }

    private void dropFirst() {
        characters -= lines.removeFirst().text().length();
        first++;
    }

    /** The number of the first line of {@link #next}, from 0. */
    synchronized long first() {
        return first;
    }

    /** The oldest, as many as fit in one answer. */
    synchronized List<OutputLine> next() {
        return lines.stream().limit(LINES_AT_ONCE).toList();
    }

    /** {@link #next} has all there are. */
    synchronized boolean isShort() {
        return lines.size() <= LINES_AT_ONCE;
    }
}
