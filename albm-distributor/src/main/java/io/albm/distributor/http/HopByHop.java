// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import io.albm.core.http.Field;

/** Fields that are meant for one connection only and never go further (RFC 9110, 7.6.1), or for this balancer only. */
final class HopByHop {
    static final long FIELDS = Field.set(
            Field.ALBM_COST,
            Field.ALBM_WAITING,
            Field.CONNECTION,
            Field.ENDPOINT_LOAD_METRICS,
            Field.HTTP2_SETTINGS,
            Field.KEEP_ALIVE,
            Field.PROXY_CONNECTION,
            Field.TE,
            Field.UPGRADE);

    private HopByHop() {}
}
