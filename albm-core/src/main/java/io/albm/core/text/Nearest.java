// SPDX-License-Identifier: Apache-2.0
package io.albm.core.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the name that somebody meant. Distance is optimal string alignment (Damerau-Levenshtein without overlapping
 * edits): an insertion, a deletion, a replacement and a swap of neighbours cost one each.
 */
public final class Nearest {
    private Nearest() {}

    /**
     * The candidate nearest to what was typed, if it is near enough to be worth showing: at most a third of the
     * longer word differs, or one is the beginning of the other.
     *
     * @param typed what the user wrote; case does not matter
     * @param candidates the names that would have been right; the first wins a tie
     */
    public static Optional<String> to(String typed, Collection<String> candidates) {
        String wanted = typed.toLowerCase(Locale.ROOT);
        return candidates.stream()
                .filter(candidate -> isNear(wanted, candidate.toLowerCase(Locale.ROOT)))
                .min(Comparator.comparingInt(candidate -> distance(wanted, candidate.toLowerCase(Locale.ROOT))));
    }

    /** A half sentence for the end of an error line: {@code "; did you mean 'zookeeper'?"}, or nothing. */
    public static String hint(String typed, Collection<String> candidates) {
        return to(typed, candidates)
                .map(name -> "; did you mean '" + name + "'?")
                .orElse("");
    }

    private static boolean isNear(String typed, String candidate) {
        if (typed.length() >= 3 && (candidate.startsWith(typed) || typed.startsWith(candidate))) {
            return true;
        }
        int allowed = Math.max(1, Math.max(typed.length(), candidate.length()) / 3);
        return distance(typed, candidate) <= allowed;
    }

    /** Edits that turn one word into the other. */
    static int distance(String a, String b) {
        int[] beforePrevious = new int[b.length() + 1];
        int[] previous = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
                if (isSwap(a, b, i, j)) {
                    current[j] = Math.min(current[j], 1 + beforePrevious[j - 2]);
                }
            }
            int[] recycled = beforePrevious;
            beforePrevious = previous;
            previous = current;
            current = recycled;
        }
        return previous[b.length()];
    }

    private static boolean isSwap(String a, String b, int i, int j) {
        return i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    }
}
