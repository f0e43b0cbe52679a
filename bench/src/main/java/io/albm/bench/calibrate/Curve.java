// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import java.util.List;
import java.util.OptionalInt;

/** An experiment's steps, in the order of their load. */
record Curve(Experiment experiment, List<Step> steps) {
    Curve {
        steps = List.copyOf(steps);
    }

    /** Index of the last step that the server bore; empty if it bore them all. */
    OptionalInt knee() {
        return Knee.find(steps, experiment.goodputGrows());
    }
}
