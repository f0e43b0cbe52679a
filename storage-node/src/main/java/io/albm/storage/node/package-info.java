// SPDX-License-Identifier: Apache-2.0
/** The I/O node: blocks on a local disk, served in storage frames; its scrub; and the storage commands. */
@NullMarked
package io.albm.storage.node;

import org.jspecify.annotations.NullMarked;
