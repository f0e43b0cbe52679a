// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;

/** A block with its body. Whoever holds it owns one reference of the body. */
public record Block(BlockHeader header, ByteBuf body) {}
