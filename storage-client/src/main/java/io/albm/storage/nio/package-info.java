// SPDX-License-Identifier: Apache-2.0
/**
 * The striped storage as a {@link java.nio.file.FileSystem} for programs in Java, without a mount: {@code albm://HOST:PORT/}.
 * Paths become inodes here; what is done with those is {@link io.albm.storage.mount}'s.
 */
@NullMarked
package io.albm.storage.nio;

import org.jspecify.annotations.NullMarked;
