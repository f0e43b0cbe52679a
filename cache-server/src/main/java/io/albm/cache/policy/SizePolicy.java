// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

/**
 * SIZE (Williams et al., SIGCOMM 1996): evicts the largest document, of equally large ones the least recently used.
 * Small documents that nobody wants any more are never displaced by larger ones.
 */
final class SizePolicy<K> extends HeapPolicy<K> {

    SizePolicy(PolicyContext<K> context) {
        super(context);
    }

    @Override
    double valueOf(VictimHeap.Entry<K> entry) {
        return -entry.bytes();
    }
}
