// SPDX-License-Identifier: Apache-2.0
/**
 * The way between coordinator and supervisors: protocol messages in frames 0x30 to 0x4f,
 * and the protocol's files in the striped store.
 */
@NullMarked
package io.albm.checkpoint.control;

import org.jspecify.annotations.NullMarked;
