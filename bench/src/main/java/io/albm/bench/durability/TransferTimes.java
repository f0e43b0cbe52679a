// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.random.RandomGenerator;

/** How the transfers of rebuilds are distributed around their mean. */
enum TransferTimes {
    /** All alike: as many bytes at the same bandwidth. */
    FIXED {
        @Override
        double draw(RandomGenerator random) {
            return 1;
        }
    },

    /** Without memory: the assumption of the Markov models that the literature gives closed forms for. */
    EXPONENTIAL {
        @Override
        double draw(RandomGenerator random) {
            return random.nextExponential();
        }
    };

    /** One transfer's time, where 1 is the mean. */
    abstract double draw(RandomGenerator random);
}
