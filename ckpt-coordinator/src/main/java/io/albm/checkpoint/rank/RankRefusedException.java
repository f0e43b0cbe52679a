// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.rank;

import java.io.IOException;
import java.io.Serial;

/** The supervisor is there and wants no rank of this attempt, which is over: the rank is about to be killed. */
public final class RankRefusedException extends IOException {
    @Serial
    private static final long serialVersionUID = 1;

    RankRefusedException(String answer) {
        super("the supervisor refused this rank: " + answer);
    }
}
