// SPDX-License-Identifier: Apache-2.0
/**
 * Sockets: event loops, buffers and bootstraps that every role shares, and the virtual threads that do its blocking work.
 * Nothing in here knows a protocol.
 */
@NullMarked
package io.albm.core.net;

import org.jspecify.annotations.NullMarked;
