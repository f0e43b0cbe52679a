// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

/**
 * Keeps retries from becoming the load that kills the backends which are left.
 *
 * <p>Each request pays a fraction of a token in, each retry takes one out. So over time retries are at most that
 * fraction of the requests, and a full purse pays for the burst of one dead backend. Confined to one event loop.
 */
final class RetryBudget {
    private final double perRequest;
    private final double capacity;
    private double tokens;

    /**
     * The full purse of one of several event loops. One retry fits into it: in a purse that is smaller none would ever.
     *
     * @param burst the largest burst of retries of all loops; 0 for none at all
     */
    static RetryBudget ofOne(int loops, double perRequest, int burst) {
        return new RetryBudget(perRequest, burst == 0 ? 0 : Math.max(1, (double) burst / loops));
    }

    /**
     * A full purse.
     *
     * @param perRequest what a request pays in, 0 to 1
     * @param capacity the largest burst of retries
     */
    RetryBudget(double perRequest, double capacity) {
        this.perRequest = perRequest;
        this.capacity = capacity;
        this.tokens = capacity;
    }

    void deposit() {
        tokens = Math.min(capacity, tokens + perRequest);
    }

    /** Takes one retry out; false if there is none left. */
    boolean withdraw() {
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
