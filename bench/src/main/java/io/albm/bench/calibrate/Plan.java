// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.calibrate;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How one experiment goes.
 *
 * @param experiment which
 * @param target what is asked for; {@code {mb}} in it stands for the step's load
 * @param loads of the steps, growing
 * @param clients at every step; 0 takes the step's load
 * @param duration of each step
 */
record Plan(Experiment experiment, String target, List<Integer> loads, int clients, Duration duration) {
    /** Where a target has its size. */
    static final String SIZE = "{mb}";

    Plan {
        loads = List.copyOf(loads);
    }

    URI uri(int load) {
        return URI.create(target.replace(SIZE, Integer.toString(load)));
    }

    int clients(int load) {
        return clients == 0 ? load : clients;
    }
}
