// SPDX-License-Identifier: Apache-2.0
/**
 * The data path: an HTTP/1.1 reverse proxy that streams both ways, retries what is safe and resumes what was cut.
 * A request, its client and its backend connection live on one event loop; nothing here is shared between loops but counts.
 */
@NullMarked
package io.albm.distributor.proxy;

import org.jspecify.annotations.NullMarked;
