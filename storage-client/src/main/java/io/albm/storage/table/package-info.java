// SPDX-License-Identifier: Apache-2.0
/**
 * The file table of the striped storage: a state machine of inodes and names, replicated by a log that one leader at a time
 * writes, and the way to it for clients.
 */
@NullMarked
package io.albm.storage.table;

import org.jspecify.annotations.NullMarked;
