// SPDX-License-Identifier: Apache-2.0
/**
 * The striped storage as a file system that the kernel can mount: {@code albm mount}. What the storage cannot do yet gets
 * its errno here.
 */
@NullMarked
package io.albm.storage.mount;

import org.jspecify.annotations.NullMarked;
