// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.List;

/**
 * A part of the generations that a node has blocks of, in ascending order.
 *
 * @param more whether there are others after the last one
 * @param listing which listing of the node this is, for {@link BlockClient#sweep}
 */
public record GenerationPage(List<Generation> generations, boolean more, long listing) {
    /** Upper bound of a page. */
    public static final int MAX_SIZE = 10_000;

    public GenerationPage {
        generations = List.copyOf(generations);
    }
}
