// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import java.io.IOException;

/** There is no room for a block. Nothing was changed. */
final class NoSpaceException extends IOException {
    NoSpaceException(String reason) {
        super(reason);
    }
}
