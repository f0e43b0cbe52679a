// SPDX-License-Identifier: Apache-2.0
/** What a job waits for: its ranks for a checkpoint, its users for a commit, everybody for a restart. */
@NullMarked
package io.albm.bench.restart;

import org.jspecify.annotations.NullMarked;
