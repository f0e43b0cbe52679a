// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * The few documents with the highest scores among those offered, each once. Those that were not taken are offered
 * again at the next choice, so that a small sample does not forget what an earlier one found.
 */
final class Candidates<K> {

    private final List<Known<K>> highestFirst;
    private final double[] scores;

    /**
     * @param most how many are kept, at least 1
     */
    Candidates(int most) {
        highestFirst = new ArrayList<>(most);
        scores = new double[most];
    }

    void offer(Known<K> document, double score) {
        boolean full = highestFirst.size() == scores.length;
        if ((full && score <= scores[scores.length - 1]) || highestFirst.contains(document)) {
            return;
        }
        if (full) {
            highestFirst.removeLast();
        }
        insert(document, score);
    }

    private void insert(Known<K> document, double score) {
        int place = highestFirst.size();
        for (; place > 0 && scores[place - 1] < score; place--) {
            scores[place] = scores[place - 1];
        }
        scores[place] = score;
        highestFirst.add(place, document);
    }

    /** Moves all of them to the end of a list, whatever scores they had. */
    void drainTo(List<? super Known<K>> documents) {
        documents.addAll(highestFirst);
        highestFirst.clear();
    }

    /** Takes the one with the highest score, of which there is one. */
    Known<K> take() {
        Known<K> first = highestFirst.removeFirst();
        System.arraycopy(scores, 1, scores, 0, highestFirst.size());
        return first;
    }

    /** The highest score, if there is a document. */
    double highest() {
        return scores[0];
    }
}
