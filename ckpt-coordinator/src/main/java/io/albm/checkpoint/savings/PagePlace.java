// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import io.albm.checkpoint.protocol.PackId;

/**
 * Where a page is stored.
 *
 * @param ordinal its number among the pages of the pack, from 0
 */
record PagePlace(PackId pack, int ordinal) {
    boolean isJustBehind(PagePlace other, int pages) {
        return pack.equals(other.pack) && ordinal == other.ordinal + pages;
    }
}
