// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import java.time.Instant;

/**
 * What a file shows that is written here and not stored yet.
 *
 * @param size bytes
 * @param modified when it was last written
 */
record Unsaved(long size, Instant modified) {}
