// SPDX-License-Identifier: Apache-2.0
/**
 * Checkpoints of cluster jobs, and their rollback after a fault.
 * Here is the face of the role: main, definition and configuration keys.
 */
@NullMarked
package io.albm.checkpoint;

import org.jspecify.annotations.NullMarked;
