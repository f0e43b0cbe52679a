// SPDX-License-Identifier: Apache-2.0
/**
 * The checkpoint protocol without any I/O: phases, messages, durable records, and the two state machines
 * (coordinator and supervisor) that production and the seeded simulation both run unchanged.
 */
@NullMarked
package io.albm.checkpoint.protocol;

import org.jspecify.annotations.NullMarked;
