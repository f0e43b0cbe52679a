// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

/** A stored response that the origin is asked about. Holds a reference on it until it is released. */
record Validation(CachedResponse response) {

    /** The fields that ask whether it is current; empty if it has nothing to tell it by. */
    FieldList conditions() {
        return Validators.of(response.head().reply()).conditions();
    }

    void release() {
        response.release();
    }
}
