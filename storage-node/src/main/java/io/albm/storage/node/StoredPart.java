// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.PartHeader;
import io.netty.util.ReferenceCounted;

/** Part of a block on its way to a reader, not checked. Whoever holds it owns one reference of the body. */
record StoredPart(PartHeader header, ReferenceCounted body) {}
