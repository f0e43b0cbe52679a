// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import java.util.List;

/**
 * A cache as a share of the bytes of all different documents of a trace.
 *
 * @param label as in the results
 * @param permille of the bytes
 */
record CacheSize(String label, int permille) {

    static final CacheSize ONE_PERCENT = new CacheSize("1%", 10);
    static final CacheSize TEN_PERCENT = new CacheSize("10%", 100);

    static final List<CacheSize> ALL =
            List.of(new CacheSize("0.1%", 1), ONE_PERCENT, new CacheSize("5%", 50), TEN_PERCENT);

    long capacityBytes(long uniqueBytes) {
        return uniqueBytes * permille / 1000;
    }
}
