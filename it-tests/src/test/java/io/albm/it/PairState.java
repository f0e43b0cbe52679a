// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;

/**
 * What one of two ranks computes: a part that never changes, so that a checkpoint counts on pages of the one before, and a
 * part that depends in every step on what the other rank had. So what each rank has at a step can be computed alone, and two
 * states of different steps never fit together. Not thread-safe.
 */
final class PairState {
    private static final int STILL = 64 << 10;
    private static final int MOVING = 8 << 10;
    private static final int BYTES = Long.BYTES + STILL + MOVING * Long.BYTES;

    /** Knuth's MMIX generator. */
    private static final long FACTOR = 6364136223846793005L;

    private final byte[] still = new byte[STILL];
    private final long[] moving = new long[MOVING];
    private long step;

    /** @param rank 0 or 1 */
    PairState(int rank) {
        Random random = new Random(rank + 1);
        random.nextBytes(still);
        for (int n = 0; n < MOVING; n++) {
            moving[n] = random.nextLong();
        }
    }

    long step() {
        return step;
    }

    /** What the other rank needs for its next step. */
    long halo() {
        return moving[(int) (step % MOVING)];
    }

    void advance(long otherHalo) {
        for (int n = 0; n < MOVING; n++) {
            moving[n] = moving[n] * FACTOR + otherHalo + n;
        }
        step++;
    }

    byte[] bytes() {
        ByteBuffer all = ByteBuffer.allocate(BYTES).putLong(step).put(still);
        all.asLongBuffer().put(moving);
        return all.array();
    }

    String sha256() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    void restore(byte[] saved) {
        ByteBuffer all = ByteBuffer.wrap(saved);
        step = all.getLong();
        all.get(still).asLongBuffer().get(moving);
    }
}
