// SPDX-License-Identifier: Apache-2.0
package io.albm.core.topology;

import java.util.List;
import java.util.stream.Collectors;

/** Settings that make no topology. Carries all that is wrong with them, so that it can be put right at once. */
public final class TopologyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final transient List<Mistake> mistakes;

    /** @param mistakes at least one */
    public TopologyException(List<Mistake> mistakes) {
        super(mistakes.stream().map(Mistake::toString).collect(Collectors.joining("; ")));
        this.mistakes = List.copyOf(mistakes);
    }

    /** All that is wrong, in the order of the keys. */
    public List<Mistake> mistakes() {
        return mistakes;
    }
}
