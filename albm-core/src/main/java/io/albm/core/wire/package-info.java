// SPDX-License-Identifier: Apache-2.0
/**
 * The framed protocol that nodes speak to each other: codec, multiplexing client, server with back-pressure.
 * {@code docs/wire.md} describes it byte by byte.
 */
@NullMarked
package io.albm.core.wire;

import org.jspecify.annotations.NullMarked;
