// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

/** Content codings (RFC 9110, 8.4.1) that a document may be kept in, the best for text first. */
public enum Coding {
    BROTLI("br", ".br"),
    ZSTD("zstd", ".zst"),
    GZIP("gzip", ".gz"),
    /** As it is. */
    IDENTITY("identity", "");

    private final String token;
    private final String suffix;

    Coding(String token, String suffix) {
        this.token = token;
        this.suffix = suffix;
    }

    /** As in {@code Content-Encoding}. */
    public String token() {
        return token;
    }

    /** What the name of a file in this coding ends with. */
    public String suffix() {
        return suffix;
    }
}
