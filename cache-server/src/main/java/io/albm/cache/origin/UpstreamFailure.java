// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

/**
 * Why the origin gave no whole response.
 *
 * @param status what the client gets if its response has not begun
 * @param reason one line for the person who asked
 */
record UpstreamFailure(int status, String reason) {

    static UpstreamFailure unreachable(String reason) {
        return new UpstreamFailure(Statuses.BAD_GATEWAY, "the origin cannot be reached: " + reason);
    }

    static UpstreamFailure broken(String reason) {
        return new UpstreamFailure(Statuses.BAD_GATEWAY, "the origin's response is broken: " + reason);
    }

    static UpstreamFailure late(String what) {
        return new UpstreamFailure(Statuses.GATEWAY_TIMEOUT, "the origin did not answer in time: " + what);
    }

    static UpstreamFailure busy() {
        return new UpstreamFailure(Statuses.UNAVAILABLE, "too many requests wait for the origin; try again");
    }
}
