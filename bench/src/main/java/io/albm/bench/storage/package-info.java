// SPDX-License-Identifier: Apache-2.0
/**
 * {@code albm bench storage}: the striped storage through its mount beside a local disk, GlusterFS, MooseFS and
 * NFS-Ganesha, all on the same disk, taking turns; and its own client beside a plain TCP connection to that disk.
 */
@NullMarked
package io.albm.bench.storage;

import org.jspecify.annotations.NullMarked;
