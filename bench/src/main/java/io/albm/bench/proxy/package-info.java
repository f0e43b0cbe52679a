// SPDX-License-Identifier: Apache-2.0
/**
 * {@code albm bench proxy}: the distributor beside haproxy and nginx, in front of the same servers, under the same load,
 * taking turns. What counts is CPU per request, from the kernel's books.
 */
@NullMarked
package io.albm.bench.proxy;

import org.jspecify.annotations.NullMarked;
