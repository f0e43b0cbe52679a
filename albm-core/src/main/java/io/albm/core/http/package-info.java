// SPDX-License-Identifier: Apache-2.0
/**
 * Messages of HTTP/1.1 on bytes, as every role that speaks it reads and writes them: heads are read in place, bodies are
 * found by their framing. Pure classes without sockets, time or threads.
 */
@NullMarked
package io.albm.core.http;

import org.jspecify.annotations.NullMarked;
