// SPDX-License-Identifier: Apache-2.0
/**
 * HTTP/1.1 on bytes: heads are read in place and written again by copying the lines that need no change. Pure classes
 * without sockets, time or threads.
 */
@NullMarked
package io.albm.distributor.http;

import org.jspecify.annotations.NullMarked;
