// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.Set;

/** What status codes mean to a cache (RFC 9110, section 15; RFC 9111, section 3). */
final class Statuses {

    static final int OK = 200;
    static final int NO_CONTENT = 204;
    static final int PARTIAL_CONTENT = 206;
    static final int NOT_MODIFIED = 304;
    static final int RANGE_NOT_SATISFIABLE = 416;
    /** From here on, the server failed. */
    static final int ERRORS = 500;

    static final int BAD_GATEWAY = 502;
    static final int UNAVAILABLE = 503;
    static final int GATEWAY_TIMEOUT = 504;

    private static final Set<Integer> HEURISTIC = Set.of(200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501);
    private static final Set<Integer> UNDERSTOOD = Set.of(
            200, 203, 204, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 410, 414, 421, 451, 500, 501, 502,
            503, 504);
    private static final Set<Integer> ABOUT_REQUEST =
            Set.of(206, 304, 408, 412, 413, 416, 417, 421, 425, 426, 429, 431);
    private static final Set<Integer> STALE_IF_ERROR = Set.of(500, 502, 503, 504);

    private Statuses() {}

    /** Whether a response of that status may be kept without a word on its lifetime. 206 could, but no part is kept. */
    static boolean isHeuristicallyCacheable(int status) {
        return HEURISTIC.contains(status);
    }

    /** Whether this cache knows what the status asks of it, for {@code must-understand}. */
    static boolean isUnderstood(int status) {
        return UNDERSTOOD.contains(status);
    }

    /**
     * Whether a response of that status speaks of one request's own conditions, range, head, body or connection, and would
     * keep the resource from all others if it were kept.
     */
    static boolean isAboutRequest(int status) {
        return ABOUT_REQUEST.contains(status);
    }

    /** Whether {@code stale-if-error} covers a response of that status (RFC 5861, section 4). */
    static boolean isCoveredError(int status) {
        return STALE_IF_ERROR.contains(status);
    }

    /** Whether an unsafe request that got that status changed something (RFC 9111, section 4.4). */
    static boolean isSuccess(int status) {
        return status >= 200 && status < 400;
    }
}
