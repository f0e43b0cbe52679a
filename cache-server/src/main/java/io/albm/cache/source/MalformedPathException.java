// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

/** A request target that names no document safely. The message says why and repeats nothing of the target. */
public final class MalformedPathException extends Exception {

    MalformedPathException(String message) {
        super(message);
    }
}
