// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.restart;

import io.albm.checkpoint.participant.Participant;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A rank whose state is of a size, cannot be compressed, is another one at each step, and is known to be right when it comes
 * back. Steps are short and there is no last one.
 */
public final class StateRank {
    private static final int STEP_MILLIS = 5;
    private static final int PIECE = 1 << 16;
    private static final int WRONG = 3;

    private StateRank() {}

    /**
     * Runs until it is killed or the job is halted.
     *
     * @param arguments bytes of the state
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        long bytes = Long.parseLong(arguments[0]);
        try (Participant me = Participant.join()) {
            long step = restore(me, bytes);
            while (!me.shouldExit()) {
                long at = step;
                me.checkpoint(at, out -> write(out, me.rank(), at, bytes));
                Thread.sleep(STEP_MILLIS);
                step++;
            }
        }
    }

    private static long restore(Participant me, long bytes) throws IOException {
        Optional<InputStream> saved = me.restore();
        if (saved.isEmpty()) {
            return 0;
        }
        try (DataInputStream in = new DataInputStream(saved.get())) {
            long step = in.readLong();
            SplittableRandom random = random(me.rank(), step);
            byte[] expected = new byte[PIECE];
            for (long left = bytes; left > 0; left -= PIECE) {
                random.nextBytes(expected);
                if (!Arrays.equals(expected, in.readNBytes(PIECE))) {
                    System.err.println("rank " + me.rank() + " got another state than it saved at step " + step);
                    System.exit(WRONG);
                }
            }
            return step;
        }
    }

    private static void write(OutputStream out, int rank, long step, long bytes) throws IOException {
        DataOutputStream state = new DataOutputStream(out);
        state.writeLong(step);
        SplittableRandom random = random(rank, step);
        byte[] piece = new byte[PIECE];
        for (long left = bytes; left > 0; left -= PIECE) {
            random.nextBytes(piece);
            state.write(piece);
        }
        state.flush();
    }

    private static SplittableRandom random(int rank, long step) {
        return new SplittableRandom(step * 100_003 + rank);
    }
}
