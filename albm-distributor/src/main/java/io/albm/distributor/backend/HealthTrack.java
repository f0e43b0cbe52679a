// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

/**
 * Turns checks into health: {@code rise} good ones in a row bring a backend up, {@code fall} bad ones in a row take it
 * down. A backend that was never checked believes its first check. Not thread-safe.
 */
final class HealthTrack {
    private int rise;
    private int fall;
    private Health health = new Health.Unproven();
    private int against;

    HealthTrack(int rise, int fall) {
        this.rise = rise;
        this.fall = fall;
    }

    Health health() {
        return health;
    }

    /** Counts to other numbers from now on. */
    void judgeBy(int newRise, int newFall) {
        rise = newRise;
        fall = newFall;
    }

    /** A check was answered well. */
    void passed() {
        switch (health) {
            case Health.Unproven unproven -> change(new Health.Up());
            case Health.Up up -> against = 0;
            case Health.Down down -> {
                if (++against >= rise) {
                    change(new Health.Up());
                }
            }
        }
    }

    /**
     * A check failed.
     *
     * @param answered whether there was an answer, though a bad one
     */
    void failed(String reason, boolean answered, long nowNanos) {
        switch (health) {
            case Health.Unproven unproven -> change(new Health.Down(reason, answered, nowNanos));
            case Health.Up up -> {
                if (++against >= fall) {
                    change(new Health.Down(reason, answered, nowNanos));
                }
            }
            case Health.Down down ->
                change(down.answers() == answered ? down : new Health.Down(reason, answered, down.sinceNanos()));
        }
    }

    /** Requests themselves have shown that it cannot be reached; no need to wait for checks. */
    void unreachable(String reason, long nowNanos) {
        if (health.serves()) {
            change(new Health.Down(reason, false, nowNanos));
        }
    }

    private void change(Health to) {
        health = to;
        against = 0;
    }
}
