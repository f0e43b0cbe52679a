// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

/** This machine does not let us make control groups; the message says what is missing and the way out. */
public final class NotPermittedException extends Exception {
    NotPermittedException(String message) {
        super(message);
    }
}
