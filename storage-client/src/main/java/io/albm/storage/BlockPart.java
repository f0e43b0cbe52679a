// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;

/** Part of a block as its node has it; not checked yet. Whoever holds it owns one reference of the bytes. */
public record BlockPart(PartHeader header, ByteBuf body) {}
