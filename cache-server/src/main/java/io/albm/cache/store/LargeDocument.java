// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.Version;

/**
 * A document that is streamed from its source.
 *
 * @param version what it was when its identity was computed; a stream refuses any other
 */
public record LargeDocument(DocumentPath path, Identity identity, Version version) {}
