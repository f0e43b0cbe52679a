// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import io.albm.checkpoint.protocol.PackId;

/**
 * Where a page is stored.
 *
 * @param ordinal its number among the pages of the pack, from 0
 */
record PagePlace(PackId pack, int ordinal) {}
