// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

/**
 * What became of a trace's requests.
 *
 * @param requests all
 * @param reads documents that were read from disk for them
 * @param bytes that were asked for
 * @param readBytes that were read from disk
 */
record Served(long requests, long reads, long bytes, long readBytes) {

    /** Share of requests that needed no read of their own, 0 to 1. */
    double objectHitRatio() {
        return 1 - (double) reads / requests;
    }

    /** Share of bytes that needed not be read, 0 to 1. */
    double byteHitRatio() {
        return bytes == 0 ? 0 : 1 - (double) readBytes / bytes;
    }
}
