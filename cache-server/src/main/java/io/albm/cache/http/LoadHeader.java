// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.node.OrcaReport;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/** The load report that responses carry, made once for many of them; none until the first. Thread-safe. */
final class LoadHeader {
    private static final AsciiString NAME = AsciiString.cached(OrcaReport.HEADER);

    private volatile @Nullable AsciiString value;

    void report(OrcaReport load) {
        value = AsciiString.cached(load.text());
    }

    void addTo(HttpHeaders headers) {
        AsciiString present = value;
        if (present != null) {
            headers.set(NAME, present);
        }
    }
}
