// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

import io.albm.checkpoint.savings.PageSource;
import java.util.List;

/**
 * Where to look for pages of a state before anything is fetched from the striped store. They may be of other checkpoints,
 * or damaged: every page is held against its hash.
 *
 * @param local written by the rank itself; looked at first
 * @param partner copies of them
 */
public record StateCopies(List<PageSource> local, List<PageSource> partner) {
    public static final StateCopies NONE = new StateCopies(List.of(), List.of());

    public StateCopies {
        local = List.copyOf(local);
        partner = List.copyOf(partner);
    }
}
